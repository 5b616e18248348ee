"""Secrets: what is one is found, as itself and nothing beside it; talk of one is not."""

from __future__ import annotations

import pytest

from mnemod.domain.gates.secrets import SecretKind, find

BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"

SAID = [
    # English: the text, and the secret in it.
    ("My password is hunter2", "hunter2"),
    ("my wifi password is Blue-Kettle-77, in case you need it", "Blue-Kettle-77"),
    ("The PIN for the alarm is 4812.", "4812"),
    ("pin: 9035", "9035"),
    ("My bank PIN is now 2746 since Monday.", "2746"),
    ("The door code to the office is 7719#", "7719#"),
    ("I changed my email password to Vq7!ramen", "Vq7!ramen"),
    ("Her Netflix password was kumquat.", "kumquat"),
    ('The password for the router is "correct horse"', "correct horse"),
    ("password: swordfish", "swordfish"),
    ("Password = Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("DB_PASSWORD=s3cr3t-sauce", "s3cr3t-sauce"),
    ('{"password": "opensesame"}', "opensesame"),
    ("mysql -u root --password=zebra99", "zebra99"),
    ("curl -u kit:marzipan8 https://example.org", "marzipan8"),
    ("api_key: 9f8e7d6c5b4a39281706f5e4", "9f8e7d6c5b4a39281706f5e4"),
    ("AWS_SECRET_ACCESS_KEY=kQ9vT2xLmN4bR7wYz1Hs5Dd8Gg", "kQ9vT2xLmN4bR7wYz1Hs5Dd8Gg"),
    ("Our API key is aa11bb22cc33dd44", "aa11bb22cc33dd44"),
    ("Authorization: Bearer q7W9zK2mX4vB6nL8", "q7W9zK2mX4vB6nL8"),
    ("client_secret = 'Zx81Commodore64Amiga'", "Zx81Commodore64Amiga"),
    ("Pwd=Winter2031;Server=db", "Winter2031"),
    ("username kit, password m4rmalade", "m4rmalade"),
    ("hunter2 is my password", "hunter2"),
    ("I use 8Tulips! as my password everywhere", "8Tulips!"),
    ("My seed phrase is apple brick cloud delta eagle", "apple brick cloud delta eagle"),
    ("The combination for the safe is 31-07-55", "31-07-55"),
    ("cvv 913", "913"),
    ("The passcode for my iPad is 118822", "118822"),
    ("My Gmail password has been changed to olive&Rice4", "olive&Rice4"),
    ("the voicemail pin is 5521, if you need to check it", "5521"),
    ("our Wi-Fi key is 'sunflower2024'", "sunflower2024"),
    ("My password is sunflower and I use it everywhere.", "sunflower"),
    ("the admin password is marzipan on all my servers", "marzipan"),
    ("here is the login: user kit, pw Tulip88", "Tulip88"),
    # Chinese.
    ("登录名kit，密码tulip88", "tulip88"),
    ("密码设置成了sunflower9", "sunflower9"),
    ("我的支付密码还是以前那个 118822", "118822"),
    ("我的密码是hunter2", "hunter2"),
    ("密码是 Blue77kettle，别告诉别人", "Blue77kettle"),
    ("WiFi密码：lanhua8866", "lanhua8866"),
    ("銀行卡的密碼是482913。", "482913"),
    ("我把邮箱密码改成了Vq7!ramen", "Vq7!ramen"),
    ("家裡門鎖密碼現在是 2746", "2746"),
    ("門禁碼是7719", "7719"),
    ("登录口令为swordfish。", "swordfish"),
    ("服务器密码：「芝麻开门吧」", "芝麻开门吧"),
    ("Zx81abc是我的密码", "Zx81abc"),
    ("API密钥是9f8e7d6c5b4a3928", "9f8e7d6c5b4a3928"),
    ("支付密码设为了 118822", "118822"),
    ("我的PIN码是9035", "9035"),
    ("密碼還是Winter2031沒變", "Winter2031"),
    ("ＷＩＦＩ密码：ｌａｎ８８６６", "ｌａｎ８８６６"),
    # Japanese.
    ("玄関の解除コードは5580", "5580"),
    ("パスワードはhunter2です", "hunter2"),
    ("Wi-Fiのパスワードは「sakura8866」です。", "sakura8866"),
    ("銀行の暗証番号は4812です", "4812"),
    ("パスワード：Blue77kettle", "Blue77kettle"),
    ("玄関の暗証番号は今も7719だよ", "7719"),
    ("パスワードを Vq7!ramen に変えました", "Vq7!ramen"),
    ("合言葉は「ひらけごま」。", "ひらけごま"),
    ("APIキーは 9f8e7d6c5b4a3928 です", "9f8e7d6c5b4a3928"),
    ("金庫の番号は310755です", "310755"),
    ("Zx81abcがうちのWi-Fiのパスワードです", "Zx81abc"),
    ("スマホのパスコードは118822", "118822"),
    ("セキュリティコードは913です", "913"),
    ("メールのパスはWinter2031のままです", "Winter2031"),
    ("PINは9035です。", "9035"),
    ("会社のパスワードは最近 m4rmalade に変わった", "m4rmalade"),
]  # fmt: skip

SHAPED = [
    ("stripe", "sk_test_EXAMPLE000000000000000"),
    ("stripe live", "sk_" + "live_4f9aK2mX7vB6nL8qW1zR5tYc"),
    ("github", "gh" + "p_4f9aK2mX7vB6nL8qW1zR5tYc3Hs0Dd8Gg2Jj"),
    ("github fine", "github_pat_" + "11ABCDEFG0abcdefghijkl_4f9aK2mX7vB6nL8qW1zR5tYc"),
    ("gitlab", "glpat-" + "4f9aK2mX7vB6nL8qW1zR"),
    ("aws", "AKIA" + "Q7W9ZK2MX4VB6NL8"),
    ("slack", "xoxb-" + "214365870912-214365870912-4f9aK2mX7vB6nL8qW1zR5tYc"),
    ("anthropic", "sk-ant-" + "api03-4f9aK2mX7vB6nL8qW1zR5tYc"),
    ("openai", "sk-proj-" + "4f9aK2mX7vB6nL8qW1zR5tYc"),
    ("google", "AIza" + "Sy4f9aK2mX7vB6nL8qW1zR5tYc3Hs0Dd8Gg"),
    ("npm", "npm_" + "4f9aK2mX7vB6nL8qW1zR5tYc3Hs0Dd8Gg2Jj"),
    ("hugging face", "hf_" + "4faKmXvBnLqWzRtYcHsDdGgJjPpQqRrSsTt"),
    ("sendgrid", "SG." + "4f9aK2mX7vB6nL8qW1zR5t.4f9aK2mX7vB6nL8qW1zR5tYc3Hs0Dd8Gg2JjPpQqRrS"),
    ("telegram", "7214365870:" + "AAF4f9aK2mX7vB6nL8qW1zR5tYc3Hs0Dd8G"),
    ("pypi", "pypi-" + "AgEIcHlwaS5vcmc4f9aK2mX7vB6nL8qW1zR5tYc3Hs0Dd8Gg2Jj"),
    ("digital ocean", "dop_v1_" + "4f9a" * 16),
    ("shopify", "shpat_" + "4f9a" * 8),
    ("card", "4539 1488 0343 6467"),
    ("card without groups", "5425233430109903"),
    ("card with hyphens", "4111-1111-1111-1111"),
    ("amex", "3782 822463 10005"),
]  # fmt: skip


def words(text: str) -> list[str]:
    return [text[found.start : found.end] for found in find(text)]


@pytest.mark.parametrize(("text", "secret"), SAID, ids=[text for text, _ in SAID])
def test_a_secret_that_is_said_is_found_alone(text: str, secret: str) -> None:
    assert words(text) == [secret]


@pytest.mark.parametrize(
    "around", ["{}", "key {} ok", "鍵は{}です", "钥匙是{}，收好", "（{}）", '"{}"', "{}."]
)
@pytest.mark.parametrize("secret", [secret for _, secret in SHAPED], ids=[n for n, _ in SHAPED])
def test_a_secret_known_by_its_shape_is_found_whatever_it_touches(around: str, secret: str) -> None:
    assert words(around.format(secret)) == [secret]


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_is_found_whole(kind: str) -> None:
    block = f"-----BEGIN {kind}PRIVATE KEY-----\n{BODY}-----END {kind}PRIVATE KEY-----"

    assert words(f"鍵です\n{block}\nよろしく") == [block]


def test_a_private_key_of_pgp_is_found_whole() -> None:
    block = (
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\nlQOYBF+abcd\n=Zx81\n"
        "-----END PGP PRIVATE KEY BLOCK-----"
    )

    assert words(block) == [block]


def test_a_private_key_cut_off_is_still_one() -> None:
    assert words(f"-----BEGIN PRIVATE KEY-----\n{BODY}") != []


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("postgres://kit:marzipan8@db.example.org/club", "marzipan8"),
        ("数据库是mysql://root:lan8866@10.0.0.7:3306/a。", "lan8866"),
        ("https://kit:gh7XyZ9@example.org/repo.git", "gh7XyZ9"),
        ("redis://:s3same@cache:6379", "s3same"),
        ("mongodb+srv://kit:p%40ss9@cluster0.example.net", "p%40ss9"),
        ("Server=db;User Id=sa;Password=Winter2031;", "Winter2031"),
    ],
)
def test_a_password_in_an_address_is_found_alone(text: str, secret: str) -> None:
    assert words(text) == [secret]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("my password is hunter2", SecretKind.PASSWORD),
        ("暗証番号は4812です", SecretKind.PIN),
        ("glpat-" + "4f9aK2mX7vB6nL8qW1zR", SecretKind.KEY),
        ("4539 1488 0343 6467", SecretKind.CARD),
        (f"-----BEGIN PRIVATE KEY-----\n{BODY}", SecretKind.PRIVATE_KEY),
    ],
)
def test_a_secret_says_its_kind(text: str, kind: SecretKind) -> None:
    assert [found.kind for found in find(text)] == [kind]


def test_a_hidden_mark_does_not_hide_a_secret() -> None:
    secret = "glpat-4f9aK2mX\u200b7vB6nL8qW1zR"

    assert words(f"鍵 {secret} です") == [secret]


def test_settings_side_by_side_are_each_found() -> None:
    assert words("password=aaa11 password=bbb22 api_key=9f8e7d6c5b4a39") == [
        "aaa11", "bbb22", "9f8e7d6c5b4a39",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("见 https://files.acme.io/cb?token=9f8e7d6c5b4a3928#part-2 吧", ["9f8e7d6c5b4a3928"]),
        (
            "https://acme.io/in?user=kit&password=kumquat9&token=9f8e7d6c5b4a39&next=/home",
            ["kumquat9", "9f8e7d6c5b4a39"],
        ),
        ("https://acme.io/#access_token=9f8e7d6c5b4a3928&state=x", ["9f8e7d6c5b4a3928"]),
        ("postgres://h.acme.io/club?user=kit&password=p#ss9word", ["p#ss9word"]),
        ("is it https://acme.io/x? password=abc#123", ["abc#123"]),
        ("DB_PASSWORD=abc&123#x", ["abc&123#x"]),
    ],
)
def test_a_secret_in_an_address_ends_where_the_next_part_begins(
    text: str, secrets: list[str]
) -> None:
    assert words(text) == secrets


def test_every_secret_of_a_text_is_found() -> None:
    text = "My password is hunter2, the PIN for the alarm is 4812. パスワードはsakura8866です"

    assert words(text) == ["hunter2", "4812", "sakura8866"]


NOT_SECRET = [
    "I forgot my password",
    "My password is too long to type on the phone.",
    "My password is weak.",
    "My password is garbage and I should change it.",
    "My password is used everywhere.",
    "my password is the same for everything",
    "The password is required.",
    "My password is complicated",
    "my password is on the fridge",
    "my password is my dog's name",
    "The password is stored in the vault.",
    "The password must have 12 characters.",
    "The password is 16 characters long",
    "The PIN is 4 digits.",
    "A PIN is 1000 times safer than nothing",
    "I changed my password yesterday.",
    "I reset my password because of the leak",
    "password: <password>",
    "password: ********",
    "password=xxxx",
    "PASSWORD=changeme",
    "api_key: YOUR_API_KEY_HERE",
    "api_key = os.environ['API_KEY']",
    "password = getpass.getpass()",
    "password: ${DB_PASSWORD}",
    'password: ""',
    "password: string",
    "password: required, at least 8 characters",
    "Password managers are a pain.",
    "The token count: 4096",
    "The secret is to knead it for ten minutes.",
    "The key is under the mat",
    "Secret: I never liked marzipan.",
    "code review is at 1530",
    "my zip code is 90210",
    "The code for the discount is on the flyer",
    "postgres://user:password@localhost/db",
    "https://example.org:8080/path@2x.png",
    "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-your-key-goes-here-1234567890",
    "The AWS docs show AKIAIOSFODNN7EXAMPLE as a sample.",
    "The sample password in the tutorial is hunter2",
    "The header reads -----BEGIN PRIVATE KEY----- in such files.",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
    "commit 3b7e1f09ac52d8846e0c9b1f7a2d553e90c14b68",
    "sha256 of it: 9f2c7d1e84ab30c5562f0b6e7713d9a4c8e05f2b1a6d94e37c80b25fd1e6a937",
    "7d0c1c9e-5b1f-4c55-9d57-0f6a3f4c2b11 and e1b7b0a2-90d4-4c8b-8a44-6c1d3f3e9a70",
    "The job was 01JQ8Z3K6V9T4M2XW7R5B0YHCD.",
    "IBAN GB82 WEST 1234 5698 7654 32",
    "DE89370400440532013000",
    "order 4539148803436467 arrived",
    "order A1B2C3D4E5F6G7H8",
    "Tracking number 4539 1488 0343 6467",
    "call 4539 1488 0343 6466",
    "4111 1111 1111 1112",
    "2026-03-05 12:30:45, 1741175445123",
    "Stripe's test card is 4242 4242 4242 4242.",
    "The token in the docs is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl",
    "I work on tokenisation: 5000000 tokens a day",
    "the compass points north: 12345",
    "The spinning class is at 1830, my opinion: 10",
    "The access token expires in 3600 seconds",
    "api key was revoked on 2026-02-01",
    "The combination of 3 drugs helped",
    "I share my Netflix password with 4 people",
    "the password is case-sensitive, 8 to 64 characters",
    "The key to good bread is 24 hours of rest",
    "条形码是6901234567892",
    "手机号码是13800138000",
    "WiFi密码贴在冰箱上",
    "号码是8号",
    "郵便番号は150-0001です",
    "パスタは200グラム",
    "ビデオのコードはHDMI2",
    "我忘了之前的密码，已经重置了",
    "密码是8位数",
    "密码是六位数字。",
    "密码是我的生日",
    "密码太简单了，要换一个",
    "密码错了3次就会锁",
    "你的密码是什么？",
    "密码：******",
    "密码：<你的密码>",
    "密码要12个字符以上",
    "订单号4539148803436467已发货",
    "我的邮编是100084",
    "他改了密码但没告诉我",
    "口令红包真好玩",
    "文档里的例子是 AKIAIOSFODNN7EXAMPLE。",
    "パスワードを忘れました",
    "パスワードは8文字以上です",
    "パスワードは12桁にした",
    "パスワードは誕生日です",
    "パスワードが長すぎて覚えられない",
    "暗証番号は4桁です",
    "暗証番号を3回間違えた",
    "パスワードは何ですか？",
    "パスワード：＊＊＊＊＊＊",
    "パスワードは<パスワード>と書く",
    "注文番号は4539148803436467です",
    "パスを出すのが上手い10番の選手",
    "キーボードは2021年に買った",
    "鍵は玄関の下です",
    "サンプルのパスワードはhunter2です",
]


@pytest.mark.parametrize("text", NOT_SECRET)
def test_what_only_looks_or_talks_like_a_secret_is_none(text: str) -> None:
    assert words(text) == []
