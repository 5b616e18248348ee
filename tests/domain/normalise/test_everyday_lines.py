"""Everyday lines whose words are easily taken for another date or quantity, and all they hold.

In a line `{words|value}` is what should be found: an interval is `first..end`, what is open
`one?other`, an amount its number and currency. All are said on Thursday, 18 June 2026, at 16:00.
"""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from mnemod.domain.annotation import Ambiguous, Amount, Interval, Value
from tests.support.readings import read

SAID = datetime.fromisoformat("2026-06-18T16:00:00+08:00")
MARKED = re.compile(r"\{([^|{}]+)\|([^{}]+)\}")
LINES = {
    "en-US": [
        "The {last day of February|2026-02-28} was a mess.",
        "It may 5-star its way to the top.",
        "Her cafe is called Two Cents.",
        "The podcast 99% Invisible got me into design.",
        "Our anniversary is {9/12|2026-09-12}, don't forget.",
        "I can do it in {two weeks|P14D} flat.",
        "They have a five-year-old and a baby of six months.",
        "I'd bet a million dollars he forgets.",
        "That's the $64,000 question.",
        "See you {next Monday|2026-06-22?2026-06-29}.",
        "My {half-hour|PT30M} lunch was cut.",
        "She's sixteen weeks pregnant.",
        "Can we talk {next Thursday at 3pm|2026-06-25T15:00?2026-07-02T15:00}?",
        "I run at {8 tomorrow morning|2026-06-19T08:00}.",
        "I'll be gone from the {3rd to the 9th of August|2026-08-03..2026-08-10}.",
        "I was on page 3/12 of the form.",
        "Half an hour later he was back.",
        "Three days later she changed her mind.",
        "Ten minutes before kick-off it poured.",
        "Two days after the surgery I was walking.",
        "The two-minute rule changed my life.",
        "We may 2nd-guess it.",
        "We meet {tomorrow at ten to nine|2026-06-19T08:50}, don't be late.",
        "We meet {tomorrow at twenty past four in the afternoon|2026-06-19T16:20}.",
        "Breakfast is at {nine-thirty tomorrow|2026-06-19T09:30}.",
        "The band is on at {8 tomorrow evening|2026-06-19T20:00}.",
        "The talk is {tomorrow|2026-06-19} at 3-5pm.",
        "Come {tomorrow|2026-06-19} at 4ish.",
        "{One hour and twenty minutes ago|2026-06-18T14:40} the lights went out.",
        "It closed {2 hours 15 minutes ago|2026-06-18T13:45}.",
        "The ferry leaves {in two hours and 15 minutes|2026-06-18T18:15}.",
        "The bread is done {in 2 and a half hours|2026-06-18T18:30}.",
        "That was a year and two months ago.",
        "A quarter of an hour ago he was fine.",
        "I quit two weeks back.",
        "Rome fell 1,500 years ago, more or less.",
        "In {five years|P5Y} I've never been late.",
        "The drive up took {3 and a half hours|PT3H30M}.",
        "I'm out {next week Monday to Wednesday|2026-06-22..2026-06-25}.",
        "From {tomorrow|2026-06-19} on I'm vegan.",
        "Every day this time next year I'll be surfing.",
        "This time next year I'll be surfing.",
        "The week of July 6 is packed.",
        "Tomorrow week I'm in Oslo.",
        "Between {March and May 2026|2026-03-01..2026-06-01} I lost my voice.",
        "Q1-Q3 2026 were flat.",
        "In early 2024 I moved.",
        "We closed from the {5th of July to the 9th of August|2026-07-05..2026-08-10}.",
        "The fair runs {Mon July 6 to Wed July 8|2026-07-06..2026-07-09}.",
        "Let's say July 5ish.",
        "The vet is {Mon 6/29|2026-06-29}, bring the cat.",
        "Brunch on {Saturday 7/4 at noon|2026-07-04T12:00}?",
        "We closed {Saturday, 7/4/2026|2026-07-04}.",
        "The shop is closed from {7/4 to 7/6|2026-07-04..2026-07-07}.",
        "Membership grew from 1900 to 2050.",
        "In 2000 BC they had beer.",
        "I turned 35 {last month|2026-05-01..2026-06-01}.",
        "We sold 12 {last month|2026-05-01..2026-06-01}.",
        "It's {$50 CAD|50 CAD}, so about {USD $37|37 USD}.",
        "They charged {AUD $50|50 AUD} for a beer.",
        "I paid {twenty-five dollars and fifty cents|25.5 USD}.",
        "A quarter of a million dollars is gone.",
        "It rose two point five percent.",
        "{One-half|0.5} of the cake is yours.",
        "{One in four|0.25} of my students is bilingual.",
        "We're open 7/7 in summer.",
        "I'd call it a 7/10, honestly.",
        "The drill bit is 5/8 and the bolt 3/8.",
        "See you {next Saturday|2026-06-20?2026-06-27}.",
        "I nap for {half an hour|PT30M} after lunch.",
        "I sold it for {$40|40 USD} on {Sat, July 11|2026-07-11}.",
        "{Ten percent|0.1} of Americans watch it.",
        "He played {90 minutes|PT1H30M} Saturday.",
        "It only took us {two hours|PT2H}. We worked hard.",
        "We met {2 yrs. ago|2024-06-18} in Rome.",
        "{July 3|2026-07-03}: party at ours.",
        "Back in {2021|2021-01-01..2022-01-01}: no car, no job.",
        "See you {tomorrow at 9:30|2026-06-19T09:30}: bring cake.",
        "My plan ended {last year|2025-01-01..2026-01-01}, and I start {in two weeks|2026-07-02}.",
        "Oh no 😭 {Tomorrow|2026-06-19} is the exam.",
        "Due: **{3 July 2026|2026-07-03}**.",
        "I fell asleep {last night|2026-06-17} at 1am.",
        "It's a {two-and-a-half-hour|PT2H30M} drive.",
        "The vet visit is {7/9 at 10:15|2026-07-09T10:15}.",
        "I was born two days before Christmas.",
        "We waited {three days|P3D} before calling.",
        "I'm away the {10th through the 14th of August|2026-08-10..2026-08-15}.",
        "I fly {tomorrow|2026-06-19}—don't forget.",
        "I'm out {this week|2026-06-15..2026-06-22}—call Bob.",
        "Back in {2019|2019-01-01..2020-01-01}—the worst year—we moved.",
        "We're open {July 3—July 9|2026-07-03..2026-07-10}.",
        "It takes 3—5 days.",
        "> {Today|2026-06-18} it rained.",
        "1. {in 2 weeks|2026-07-02} I go.",
        "A discount won't save them, and {one in five|0.2} adults snores.",
        "We are away {Dec 27, 2026 – Jan 3, 2027|2026-12-27..2027-01-04}.",
        "The cabin is ours {December 27, 2026 to January 3|2026-12-27..2027-01-04}.",
        "The trip runs {12/27/2026 - 1/3/2027|2026-12-27..2027-01-04}.",
        "My locker code is 6-2-2017.",
        "Born on {6-2-2017|2017-06-02}.",
        "In that editor, $1 stands for the first captured group.",
        "I paid {$5|5 USD} for that script.",
        "I've paid back {half|0.5} of it.",
        "The back half of the book drags.",
        "They've pencilled me in for {7/11|2026-07-11}.",
        "I stopped in for 7/11 snacks.",
        "The 24-hour pharmacy was shut.",
    ],
    "en-GB": [
        "The party is on {5/8|2026-05-08?2026-08-05}, bring cake.",
        "Meet me at {half two tomorrow|2026-06-19T02:30?2026-06-19T14:30}.",
        "We've got the house from {27 December 2026 to 3 January 2027|2026-12-27..2027-01-04}.",
        "Between {27 December 2026 and 3 January 2027|2026-12-27..2027-01-04} we're away.",
        "The ship leaves {27.12.2026–03.01.2027|2026-12-27..2027-01-04}.",
    ],
    "en": [
        "The wedding is {7/8|2026-07-08?2026-08-07} and I have no suit.",
    ],
    "zh-TW": [
        "全店商品{七五折|0.75}起。",
        "{8/3|2026-08-03}是我們的紀念日。",
        "我 {next Monday|2026-06-22?2026-06-29} 要 present，好緊張。",
        "deadline 是 {7/10|2026-07-10}，要趕。",
        "meeting 改到 {next Friday 下午三點|2026-06-19T15:00?2026-06-26T15:00}。",
        "{next week 的週三|2026-06-24} 要 demo。",
        "{July 4號|2026-07-04} 要去露營。",
        "30 mins 後見。",
        "五天 later 他才回。",
        "{週六 7/4|2026-07-04} 要去露營。",
        "{50趴|0.5}的人沒來。",
        "一年兩個月前我們分手。",
        "{兩小時十五分鐘前|2026-06-18T13:45}出門。",
        "{下個月最後一天|2026-07-31}退租。",
        "去年今天我在京都。",
        "下個月中再談。",
        "{民國一百零三年|2014-01-01..2015-01-01}我考上公務員。",
        "{NT$599|599 TWD}三個，超划算。",
        "他骨折了，要打石膏。",
        "打六到八折。",
        "他以前日子很苦。",
        "改天再約，{五天後|2026-06-23}要交報告。",
        "換了手機——{三個月前|2026-03-18}壞的。",
        "開學日：{2026年9月|2026-09-01..2026-10-01}。",
        "很累，{two weeks ago|2026-06-04} 我剛換 team。",
        "體重掉了{百分之六|0.06}，{5天後|2026-06-23}開刀。",
        "學了{兩年半|P2Y6M}。班上都會。",
        "飲料{25塊|25 -}😭",
        "三秒膠黏到手了。",
        "五分鐘老闆這家店很好吃。",
        "等了{三秒|PT3S}才開。",
        "24小時藥局在哪？",
    ],
    "zh-HK": [
        "{聽日|2026-06-19}要覆診。",
        "{尋日|2026-06-17}落大雨。",
        "{尋晚十點|2026-06-17T22:00}先收工。",
        "{聽朝九點|2026-06-19T09:00}開會。",
        "{後日|2026-06-20}飛台北。",
        "{前日|2026-06-16}撞到舊同學。",
        "{呢個禮拜|2026-06-15..2026-06-22}好忙。",
        "{舊年|2025-01-01..2026-01-01}先結婚。",
        "{出年|2027-01-01..2028-01-01}想移民。",
        "{聽日下晝三點|2026-06-19T15:00}見工。",
        "{三日前|2026-06-15}啱啱洗車。",
        "行咗{個半鐘|PT1H30M}先到。",
        "租金{HK$12,500|12500 HKD}一個月。",
        "件衫打{七折|0.7}。",
    ],
    "zh-CN": [
        "商场{8.8折|0.88}，别错过。",
        "机票最低{2.5折|0.25}。",
        "前日本首相来了。",
        "我好累…{2028/4/18|2028-04-18}到期。",
        "一斤{十二块五|12.5 -}…",
        "四年过一次生日。",
        "一周运动三天。",
        "📌周三元是会计。",
        "牛排别给我全熟的\n{两周后|2026-07-02}拆线。",
        "他每天听日语。",
        "等了个{半小时|PT30M}。",
        "快递取件码是6-2-1017。",
        "取件码6-2-2017。",
        "退房{2026-12-5|2026-12-05}。",
        "编号{2026-12-05|2026-12-05}。",
        "{2026/12/27-2027/1/3|2026-12-27..2027-01-04}放假。",
        "正则里$1是第一个捕获组。",
        "这个一分钟英语的栏目不错。",
    ],
    "ja-JP": [
        "落としたのは{おととい|2026-06-16}だ😭",
        "・{3日前|2026-06-15}に届いた",
        "3年ほど前に会った。",
        "20分間隔で来る。",
        "去年の今頃は忙しかった。",
        "{来月の最終日|2026-07-31}に閉店。",
        "{令和8年12月27日から令和9年1月3日|2026-12-27..2027-01-04}まで休み。",
        "ロッカーの番号は6-2-2017です。",
        "60秒スープを買った。",
    ],
}


@pytest.mark.parametrize(
    ("locale", "line"), [(locale, line) for locale, lines in LINES.items() for line in lines]
)
def test_a_line_holds_what_its_marks_say_and_no_more(locale: str, line: str) -> None:
    text = MARKED.sub(r"\1", line)
    found = [(text[each.start : each.end], shown(each.value)) for each in read(text, locale, SAID)]

    assert found == [(words, value) for words, value in MARKED.findall(line)]


def shown(value: Value) -> str:
    match value:
        case Interval(start=start, end=end):
            return f"{start}..{end}"
        case Ambiguous(candidates=candidates):
            return "?".join(shown(each) for each in candidates)
        case Amount(number=number, currency=currency):
            return f"{number} {currency or '-'}"
        case _:
            return str(value)
