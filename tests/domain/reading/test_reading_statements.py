from __future__ import annotations

import pytest

from mnemod.domain.world import StatementKind
from tests.domain.reading.conversation import formed, request, said

ENGLISH = [
    ("I work as a ferry pilot.", "attribute", None),
    ("By the way, I'm lactose intolerant.", "attribute", None),
    ("My left knee is artificial.", "attribute", None),
    ("I don't drink coffee.", "attribute", None),
    ("I've lived in Ghent for nine years.", "attribute", None),
    ("I prefer window seats.", "preference", None),
    ("My favourite tea is lapsang.", "preference", None),
    ("From now on, answer in Dutch.", "preference", None),
    ("Please always use metric units.", "preference", None),
    ("My dream is to open a bakery.", "intention", None),
    ("I'm saving for a cargo bike.", "intention", None),
    ("I've been sleeping badly lately.", "state", None),
    ("I'm on parental leave.", "state", None),
    ("Last week I adopted a greyhound.", "event", None),
    ("We got married in June.", "event", None),
    ("The Copper Kettle serves the best scones in town.", "evaluation", "The Copper Kettle"),
    ("I am Orin Vale.", "naming", None),
    ("Call me Rowan from now on.", "naming", None),
    ("My dog is called Fen.", "naming", "Fen"),
    ("Mira is my colleague, she plans shifts.", "relationship", "Mira"),
    ("My brother is called Tomas.", "relationship", "Tomas"),
    ("Petra works at the harbour.", "attribute", "Petra"),
    ("Kenji hates cilantro.", "preference", "Kenji"),
    ("My neighbour Orin hates marzipan.", "preference", "Orin"),  # B135
]
CHINESE = [
    ("我在船厂当焊工。", "attribute", None),
    ("我的左膝是人工關節。", "attribute", None),
    ("我不喝咖啡。", "attribute", None),
    ("我每天早上吃降压药。", "attribute", None),
    ("我更喜欢靠窗的座位。", "preference", None),
    ("以後回答我都先給結論。", "preference", None),
    ("我的梦想是开一家面包店。", "intention", None),
    ("我計畫賣掉公寓搬去北部。", "intention", None),
    ("我這陣子在找工作。", "state", None),
    ("上周我领养了一只灰狗。", "event", None),
    ("銅壺茶館的司康是城裡最好吃的。", "evaluation", "銅壺茶館"),
    ("我叫林晓。", "naming", None),
    ("请叫我阿诺。", "naming", None),
    ("我家的船叫白鹭号。", "naming", "白鹭号"),
    ("小佩是我女儿。", "relationship", "小佩"),
    ("我的 mentor 叫 Ingrid。", "relationship", "Ingrid"),
    ("雅婷住在高雄。", "attribute", "雅婷"),
    ("健二讨厌香菜。", "preference", "健二"),
]
JAPANESE = [
    ("造船所で溶接工をしています。", "attribute", None),
    ("毎朝、血圧の薬を飲んでいます。", "attribute", None),
    ("血液型はO型です。", "attribute", None),
    ("コーヒーは飲みません。", "attribute", None),
    ("雨の音が好きです。", "preference", None),
    ("今後はオランダ語で答えてください。", "preference", None),
    ("2031年に退職するつもりです。", "intention", None),
    ("夢はパン屋を開くことです。", "intention", None),
    ("今は育休中です。", "state", None),
    ("昨日、電車に財布を忘れた。", "event", None),
    ("銅壺茶房のスコーンは町で一番おいしい。", "evaluation", "銅壺茶房"),
    ("私は結城葵と申します。", "naming", None),
    ("レンと呼んでください。", "naming", None),
    ("うちの犬の名前はむぎです。", "naming", "むぎ"),
    ("兄の名前は拓真です。", "relationship", "拓真"),
    ("佳奈はうちの娘です。", "relationship", "佳奈"),
    ("佳奈さんは港で働いています。", "attribute", "佳奈"),
]


@pytest.mark.parametrize(("text", "kind", "target"), [*ENGLISH, *CHINESE, *JAPANESE])
def test_a_plain_statement_forms_with_its_kind_and_subject(
    text: str, kind: str, target: str | None
) -> None:
    asked = request(text)

    (only,) = formed(asked)

    assert (only.statement_kind, only.target) == (StatementKind(kind), target)
    assert said(asked) == [text]


@pytest.mark.parametrize(
    ("text", "holder", "target"),
    [
        ("My aunt says Kai was born in 2001.", "aunt", "Kai"),
        ("我阿姨說凱凱是2001年出生的。", "阿姨", "凱凱"),
        ("叔母によると、海斗は秋田で生まれたそうです。", "叔母", "海斗"),
    ],
)
def test_what_a_relative_says_of_someone_keeps_both_names(
    text: str, holder: str, target: str
) -> None:
    (only,) = formed(request(text))

    assert (only.holder, only.target) == (holder, target)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Delphine is my flatmate.", "flatmate"),
        ("小禾是我的表妹。", "cousin"),
        ("息子の名前は蒼です。", "child"),
    ],
)
def test_a_tie_is_named_alike_in_every_language(text: str, relation: str) -> None:
    (only,) = formed(request(text))

    assert only.relation_type == relation


def test_a_person_tied_in_one_sentence_is_known_in_the_next() -> None:
    asked = request("Ola is my landlord. Ola is from Tromsø.")

    assert [each.target for each in formed(asked)] == ["Ola", "Ola"]


def test_what_matters_more_is_kept_when_a_message_says_too_much() -> None:
    likes = " ".join(f"I like tea number {number}." for number in range(6))
    asked = request(f"{likes} I'm allergic to bees.")

    assert len(said(asked)) == 5
    assert said(asked)[-1] == "I'm allergic to bees."


def test_what_is_said_twice_forms_once() -> None:
    assert said(request("I keep bees. I keep bees!")) == ["I keep bees."]
