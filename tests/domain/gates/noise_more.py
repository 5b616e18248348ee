"""More lines for gate G1, by class: what holds nothing, and what looks alike and holds something."""

NOTHING = [
    # addressed, in time and season, far away
    "Good evening, Claude!", "evening, captain", "hey folks, happy Friday!", "Happy belated birthday!",
    "大家中秋節快樂！", "早上好呀，宝子们", "あけましておめでとうございます🎍", "おはようございます☀️",
    # yes and no, in services and dialects
    "Roger wilco.", "aye aye, captain!", "no worries mate", "Makes total sense now.", "sgtm",
    "喔好", "OK啦", "讚喔", "知道囉", "妥了", "得嘞", "阔以", "收到晒", "冇問題", "係呀",
    "りょ", "おけまる", "御意", "せやな", "かしこまりです", "なるほど、勉強になりました。",
    # thanks and farewells
    "Thanks for the quick reply!", "thank you for being so patient with me", "cheers for that",
    "have a wonderful rest of your day!", "Wishing you all the best!", "catch you later",
    "感謝您的耐心解答！", "辛苦了，早點休息", "改天再聊～", "唔該晒", "先這樣，晚安喔",
    "ご連絡ありがとうございます。", "教えてくれてありがとう！", "じゃあ、おやすみ〜",
    # "remember this" without a this
    "please make sure you remember this for next time", "can you please save this to your memory?",
    "don't you ever forget that!", "note to self:", "mental note",
    "麻煩你記住我剛才說的話", "千万别忘了这件事！", "能帮我记一下吗？", "這個很重要，記住",
    "この件、メモしておいてください", "これ覚えておいてもらえますか？", "忘れないでくださいね",
    # tests
    "testing... testing... 1 2 3", "this is just a quick test, please ignore", "tick tock",
    "測試訊息，請忽略", "听得到吗？", "テスト投稿です。無視してください", "マイクテスト、マイクテスト",
    # refusals
    "Sorry, that's not something I can help with.", "I must respectfully decline to answer.",
    "My guidelines don't allow me to answer this.", "I'm not comfortable discussing that topic.",
    "很抱歉，這個問題我幫不上忙。", "这超出了我的能力范围。", "抱歉，我不能透露相關資訊，請諒解。",
    "その件についてはお答えを控えさせていただきます。", "ごめんなさい、それはできません。",
    "AIですので、個人的な感情は持ち合わせておりません。",
    # hands and faces
    "qpwoeiruty", "qwertz uiop", "azertyuiop", "jkl;jkl;", ":-D", "ありがとうございます(´;ω;｀)",
    # misread Russian
    "ïðèâåò", "Ïðèâåò, êàê äåëà?",
]  # fmt: skip

SOMETHING = [
    "Haha is my cat", "ok I love sushi", "I like him", "no sugar please", "never on Sundays",
    "It is against my religion to eat pork", "I don't have kids", "I'm not able to travel in June",
    "I never share a room", "see you Friday at 7 at Luigi's", "Don't forget I hate onions",
    "not sick, just tired of winter", "my status is married", "sweet potatoes",
    "不要香菜", "我不会游泳", "我没有车", "妥协", "好来", "记住我叫小林", "我無法適應早起", "無糖",
    "早安，今天去看牙醫", "安安是我女儿", "鸭血粉丝", "陈好", "我得早起",
    "泳げません", "牛乳は飲めません", "覚えておいて、私は左利きです", "りお", "こはる", "一人暮らし",
    "はい、大阪に引っ越しました", "犬が苦手", "辛いのが好き", "メモ：明日9時に歯医者",
    "Łukasz Żółć", "Ælfgifu", "Þórður", "Привет, я живу в Осло", "서울에 살아요",
    "HJKL in vim", "my login is qwerty_fan", "Rwy'n byw yng Nghymru",
]  # fmt: skip
