from __future__ import annotations

import pytest

from mnemod.domain.interpretation import Interpretation, Result
from mnemod.domain.reading import read
from tests.domain.reading.conversation import request, said

NOTHING = [
    # questions, greetings, thanks
    "What did I say about barley tea?",
    "Am I Orin Vale?",
    "I'm allergic to nuts, right?",
    "我是不是对花生过敏？",
    "私の職場を知っていますか？",
    "Good morning!",
    "谢谢，很有帮助。",
    "ありがとうございます、助かりました。",
    # orders for now
    "This time write an outline first.",
    "Make the second paragraph shorter.",
    "这次先写个提纲。",
    "今回は一言で答えて。",
    "Call me a taxi.",
    "ok do that",
    # hypotheticals and wishes
    "If I had a boat, I would sail to Malta.",
    "Suppose I had two dogs and a goat.",
    "要是我住在大理，我天天爬山。",
    "もし鎌倉に住んでいたら、毎日泳ぐのに。",
    "I wish I had a garden.",
    # quotations, lyrics, code, fiction
    'In the film he says, "I hate snakes."',
    "她跟我说：“我住在罗马。”",
    "彼女は「ローマに住んでいる」と言った。",
    'The card read "I am free. I live in Rome." and no more.',
    "The main character is Bob. Bob likes tea.",
    "In the book Harry lives under the stairs. Harry likes owls.",
    "故事里李雷住在月球。李雷喜欢跳舞。",
    "主人公は花子です。花子さんは京都に住んでいます。",
    "他写道：“我自由了。我住在罗马。”",
    "本には「自由だ。ローマに住んでいます。」とある。",
    "> I hate Mondays\n> and I love tea",
    "♪ I'm a lonely lighthouse, I love the midnight sea ♪",
    '```python\nhome = "I live in Oslo"\n```',
    "Kai: I hate fish. I live in Rome.",
    "In my novel the narrator lives on a barge and hates Sundays.",
    "我小說裡的主角靠修鐘錶維生。",
    "Let's role-play. I am a pirate. I live on a ship.",
    "Here is my poem:\nI am the wind.\nI love the sea.",
    # text handed over
    "Translate into French: I am allergic to bees. I live in Rome.",
    "改寫成敬語：我明天不來。",
    "英語に訳して：私はパリに住んでいます。",
    "I live in Paris. Translate that into Dutch, please.",
    "Please draft an email:\nDear Ms. Frost,\nI live on Barge Lane.",
    "From: Kai\nSubject: Hi\n\nI moved to Rome last week.",
    "检查这段话：\n我在这里住了十年。我在银行工作。",
    "この段落を確認して：\n銀行で働いています。",
    # work that does not go well, news, dreams
    "I use pandas to load it and it returns nothing.",
    "I deleted the file by accident yesterday.",
    "我的代码在第五行出错。",
    "五行目でエラーが出ます。",
    "I saw on the news yesterday that prices rose.",
    "昨夜、鳥になる夢を見ました。",
    # others' opinions, hearsay, common knowledge
    "My neighbour thinks I'm late for everything.",
    "My brother claims I snore.",
    "My colleague says the new gym is expensive.",
    "邻居觉得我老迟到。",
    "友人は私がうるさいと言います。",
    "They say the new bakery is overpriced.",
    "The Danube flows through Vienna.",
    "黄河流经兰州。",
    "利根川は千葉を流れている。",
    "Einstein was a physicist.",
    # forgetting, denials, doubts
    "Forget that I like gin.",
    "请忘掉我以前的地址。",
    "前の住所は忘れてください。",
    "I am not Orin.",
    "I am Orin's friend.",
    "No, that's not true.",
    "Maybe I like jazz.",
    # chat
    "I love it!",
    "I'm so tired.",
    "this thing is garbage, damn it",
    "2024-05-01 ERROR I am failing",
]


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_no_plain_statement_forms_nothing(text: str) -> None:
    assert read(request(text)) == Interpretation(Result.NO_CHANGE)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("My hip is titanium, can I go through the scanner?", "My hip is titanium"),
        ("我吃早齋，這裡有什麼可以點？", "我吃早齋"),
        ("肉を食べないのですが、何を頼めばいいですか？", "肉を食べないのですが"),
        ("Forget that I like gooseberries. I live on Barge Lane.", "I live on Barge Lane."),
        ("Write a bio for me. I repair clocks. Two lines.", "I repair clocks."),
        ("Thanks for the list. I don't eat pork.", "I don't eat pork."),
        ("Yes, I prefer tabs too.", "Yes, I prefer tabs too."),
        ("FYI: I'm vegan.", "FYI: I'm vegan."),
        ("Quick favour: can you draft a menu? I don't eat shellfish.", "I don't eat shellfish."),
        ("From now on use portrait pages. Only reply done.", "From now on use portrait pages."),
    ],
)
def test_only_the_statement_in_a_mixed_message_is_kept(text: str, kept: str) -> None:
    assert said(request(text)) == [kept]


def test_three_paragraphs_of_the_assistant_are_never_the_users_words() -> None:
    turns = (("assistant", "I prefer tabs.\n\nMy plan is to rest.\n\nI was made in Oslo."),)

    assert read(request("ok", turns=turns)).items == ()


def test_a_short_denial_of_what_the_assistant_supposed_is_no_memory() -> None:
    asked = request("I don't drink coffee.", turns=(("assistant", "You drink coffee."),))

    assert read(asked).items == ()
