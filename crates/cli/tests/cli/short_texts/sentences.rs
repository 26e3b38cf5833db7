//! A paragraph of 200 characters or more about the weather and the world in each of thirty languages, written for this test.
//!
//! They are in plain words and plain punctuation, as messages, subtitles and lists have them, so that the old encodings of a
//! language can hold them; Romanian has the cedilla that it had in those. The Vietnamese of windows-1258 is not that of
//! Unicode's composed letters, and Hindi never had an encoding that anybody else knew: these two are Unicode only.

/// The language, and the paragraph.
pub const SENTENCES: [(&str, &str); 30] = [
    (
        "Arabic",
        "الطقس بارد في الشتاء ويتجمد النهر في الشمال، أما في الجنوب فالشمس دافئة طوال السنة. يزرع الناس القمح والزيتون في السهول، \
         ويصيدون السمك على الساحل. في المساء يجتمع الجيران أمام البيت ويشربون الشاي ويتحدثون عن العمل والأطفال.",
    ),
    (
        "Bulgarian",
        "През зимата времето е студено и реката замръзва, а през лятото децата се къпят в нея. В планината живеят мечки и вълци. \
         Хората отглеждат рози, пшеница и лозя, а вечер седят пред къщата и разказват стари истории за своето село.",
    ),
    (
        "Chinese, simplified",
        "冬天天气很冷,河水结冰,孩子们在冰上玩耍。夏天的时候,大家喜欢到海边游泳。北方的人常吃面条,南方的人多吃米饭。这座城市有一千多年的历史,城墙\
         和古老的寺庙还在。每天早上,老人们在公园里打太极拳,年轻人坐地铁去上班。到了晚上,街上的小店都亮起了灯,人们一边喝茶一边聊天,谈论天气、工作和家里的\
         事情。春天来了,山上的花开了,农民开始在田里种水稻。秋天是收获的季节,市场上有苹果、葡萄和新鲜的蔬菜,价格也不贵。",
    ),
    (
        "Chinese, traditional",
        "冬天天氣很冷,河水結冰,孩子們在冰上玩耍。夏天的時候,大家喜歡到海邊游泳。北方的人常吃麵條,南方的人多吃米飯。這座城市有一千多年的歷史,城牆\
         和古老的寺廟還在。每天早上,老人們在公園裡打太極拳,年輕人坐捷運去上班。到了晚上,街上的小店都亮起了燈,人們一邊喝茶一邊聊天,談論天氣、工作和家裡的\
         事情。春天來了,山上的花開了,農民開始在田裡種水稻。秋天是收穫的季節,市場上有蘋果、葡萄和新鮮的蔬菜,價格也不貴。",
    ),
    (
        "Croatian",
        "Zimi je vrijeme hladno i rijeka se smrzne, a ljeti se djeca kupaju u njoj. Na otocima rastu masline, smokve i grožđe. Ribari \
         izlaze na more prije zore i vraćaju se oko podneva. Navečer ljudi šeću uz obalu, piju kavu i pričaju o svemu što se dogodilo.",
    ),
    (
        "Czech",
        "V zimě je chladné počasí a řeka zamrzá, v létě se v ní děti koupou. Na horách leží sníh až do dubna. Lidé pěstují žito, chmel \
         a jablka a na podzim chodí do lesa na houby. Večer sedí u stolu, pijí čaj a vyprávějí si příběhy o tom, co se přes den stalo.",
    ),
    (
        "Danish",
        "Om vinteren er vejret koldt, og åen fryser til, men om sommeren bader børnene i den. Landet har mange øer, og ingen bor langt \
         fra havet. Fiskerne sejler ud før solen står op. Om aftenen sidder folk sammen, drikker øl eller kaffe og taler om dagens nyheder.",
    ),
    (
        "Finnish",
        "Talvella sää on kylmä ja joki jäätyy, mutta kesällä lapset uivat siinä. Maassa on tuhansia järviä ja metsää niin pitkälle \
         kuin silmä näkee. Syksyllä ihmiset keräävät marjoja ja sieniä. Illalla lämmitetään sauna, ja sen jälkeen syödään ja jutellaan.",
    ),
    (
        "French",
        "En hiver, le temps est froid et la rivière gèle, mais en été les enfants s'y baignent. Le pays produit du blé, du vin et plus \
         de mille fromages différents. Les pêcheurs quittent le port bien avant l'aube. Le soir, on dîne tard, on boit un café et l'on \
         parle de la journée.",
    ),
    (
        "German",
        "Im Winter ist das Wetter kalt und der Fluss gefriert, im Sommer baden die Kinder darin. In den Bergen liegt der Schnee bis \
         in den Mai. Die Bauern säen Weizen und pflücken Äpfel, und die Bäcker stehen früh auf. Abends sitzen die Leute draußen, \
         trinken etwas Kühles und erzählen sich, was über Tag geschehen ist.",
    ),
    (
        "Greek",
        "Τον χειμώνα ο καιρός είναι κρύος και το ποτάμι παγώνει, ενώ το καλοκαίρι τα παιδιά κολυμπούν στη θάλασσα. Στα νησιά φυτρώνουν \
         ελιές, σύκα και αμπέλια. Οι ψαράδες φεύγουν πριν από την αυγή. Το βράδυ οι άνθρωποι κάθονται έξω, πίνουν καφέ και συζητούν.",
    ),
    (
        "Hebrew",
        "בחורף מזג האוויר קר והנחל קופא בצפון, אבל בקיץ הילדים שוחים בים. בעמקים מגדלים חיטה, זיתים ותפוזים, ובהרים יורד לפעמים שלג. \
         הדייגים יוצאים לדרך לפני הזריחה וחוזרים בצהריים. בערב השכנים יושבים יחד, שותים תה ומדברים על העבודה ועל המשפחה.",
    ),
    (
        "Hindi",
        "सर्दियों में मौसम ठंडा होता है और पहाड़ों में नदी जम जाती है। गर्मियों में बच्चे उसमें तैरते हैं। किसान गेहूँ, चावल और गन्ना उगाते हैं। सुबह लोग \
         जल्दी उठते हैं और खेतों में काम करने जाते हैं। शाम को सब लोग घर के सामने बैठकर चाय पीते हैं और दिन भर की बातें करते हैं।",
    ),
    (
        "Hungarian",
        "Télen hideg az idő és befagy a folyó, nyáron viszont a gyerekek fürödnek benne. A síkságon búzát és napraforgót termesztenek, a \
         dombokon szőlőt. Ősszel az emberek gombát szednek az erdőben. Este együtt ülnek az asztalnál, teát isznak és történeteket mesélnek.",
    ),
    (
        "Icelandic",
        "Á veturna er veðrið kalt og áin frýs, en á sumrin er bjart alla nóttina. Í landinu eru jöklar, eldfjöll og heitir hverir. \
         Sjómenn róa út áður en sólin kemur upp. Bændur slá túnin í júlí og smala fénu af fjöllum á haustin. Á kvöldin drekkur fólk kaffi \
         og segir sögur.",
    ),
    (
        "Italian",
        "D'inverno il tempo è freddo e il fiume gela, ma d'estate i ragazzi ci fanno il bagno. Nelle pianure si coltivano il riso e il \
         grano, più a sud gli ulivi e le arance. I pescatori escono prima dell'alba e tornano a mezzogiorno. La sera c'è gente in piazza: \
         si beve un caffè e si parla di ciò che è successo in città.",
    ),
    (
        "Japanese",
        "冬は寒くて川が凍りますが、夏になると子どもたちが泳ぎます。この町には千年以上の歴史があり、古いお寺がたくさん残っています。春には桜が咲いて、\
         公園は花見の人でいっぱいになります。漁師は夜明け前に港を出て、昼ごろに帰ってきます。電車は時間どおりに来るので、通勤にとても便利です。夕方になると、\
         人々は店の前に座り、お茶を飲みながらニュースや家族のことを話します。秋には山が赤く染まり、りんごやぶどうが市場に並びます。雪の多い地方では、屋根の\
         雪を下ろす仕事が大変です。",
    ),
    (
        "Korean",
        "겨울에는 날씨가 춥고 강이 얼지만 여름에는 아이들이 물에서 헤엄을 칩니다. 이 도시는 천 년이 넘는 역사를 가지고 있고 오래된 절과 성벽이 남아 있습니다. \
         봄에는 산에 꽃이 피고 농부들은 논에 벼를 심습니다. 어부들은 해가 뜨기 전에 바다로 나가서 점심때 돌아옵니다. 저녁이 되면 사람들은 가게 앞에 앉아 \
         차를 마시면서 하루 동안 있었던 일을 이야기합니다. 가을에는 시장에 사과와 포도가 많습니다.",
    ),
    (
        "Latvian",
        "Ziemā laiks ir auksts un upe aizsalst, bet vasarā bērni tajā peldas. Mežos aug ogas un sēnes, un rudenī cilvēki tās lasa. \
         Zvejnieki dodas jūrā pirms saullēkta un atgriežas ap pusdienlaiku. Vakarā ģimene sēž pie galda, dzer tēju un stāsta, kas pa dienu noticis.",
    ),
    (
        "Lithuanian",
        "Žiemą oras šaltas ir upė užšąla, o vasarą vaikai joje maudosi. Miškuose auga uogos ir grybai, rudenį žmonės juos renka. Žvejai \
         išplaukia į jūrą prieš aušrą ir grįžta apie pietus. Vakare šeima sėdi prie stalo, geria arbatą ir pasakoja, kas įvyko per dieną.",
    ),
    (
        "Polish",
        "Zimą jest zimno i rzeka zamarza, a latem dzieci się w niej kąpią. W górach śnieg leży aż do maja. Rolnicy sieją żyto i pszenicę, \
         a jesienią ludzie chodzą do lasu na grzyby. Wieczorem wszyscy siedzą przy stole, piją herbatę i opowiadają, co się zdarzyło w ciągu dnia.",
    ),
    (
        "Portuguese",
        "No inverno o tempo é frio e o rio gela, mas no verão as crianças tomam banho nele. Nas planícies cresce o trigo, e junto à costa há \
         laranjas e oliveiras. Os pescadores saem antes do amanhecer e só voltam ao meio-dia. À noite as pessoas sentam-se na praça, \
         bebem café e conversam sobre o que aconteceu.",
    ),
    (
        "Romanian",
        "Iarna vremea este rece şi râul îngheaţă, iar vara copiii se scaldă în el. La munte zăpada ţine până în mai. Ţăranii cultivă grâu, \
         porumb şi viţă de vie, iar toamna culeg mere şi nuci. Seara oamenii stau în faţa casei, beau ceai şi povestesc ce s-a întâmplat peste zi.",
    ),
    (
        "Russian",
        "Зимой погода холодная и река замерзает, а летом в ней купаются дети. На севере снег лежит до мая. Крестьяне сеют рожь и \
         пшеницу, а осенью люди ходят в лес за грибами. Рыбаки выходят в море до рассвета. Вечером все сидят за столом, пьют чай и \
         рассказывают, что случилось за день.",
    ),
    (
        "Spanish",
        "En invierno hace frío y el río se hiela, pero en verano los niños se bañan en él. En las llanuras se cultiva trigo, y cerca de la \
         costa crecen naranjos y olivos. Los pescadores salen del puerto antes del amanecer. Por la noche la gente se sienta en la plaza, \
         bebe café y habla de lo que pasó aquel día.",
    ),
    (
        "Swedish",
        "På vintern är vädret kallt och ån fryser, men på sommaren badar barnen i den. Landet har djupa skogar och tusentals sjöar. På \
         hösten plockar folk bär och svamp. Fiskarna ger sig ut före gryningen. På kvällen sitter man tillsammans, dricker kaffe och \
         berättar vad som hänt under dagen.",
    ),
    (
        "Thai",
        "ในฤดูหนาวอากาศเย็นและบนภูเขามีหมอก ส่วนในฤดูร้อนเด็กๆ ชอบว่ายน้ำในแม่น้ำ ชาวนาปลูกข้าวและผลไม้หลายชนิด ชาวประมงออกทะเลก่อนพระอาทิตย์ขึ้นและกลับมาตอนเที่ยง \
         ตอนเย็นผู้คนนั่งหน้าบ้าน ดื่มชา และคุยกันเรื่องงานกับครอบครัว เมืองนี้มีประวัติศาสตร์ยาวนานและมีวัดเก่ามากมาย",
    ),
    (
        "Turkish",
        "Kışın hava soğuk olur ve ırmak donar, yazın ise çocuklar içinde yüzer. Ovalarda buğday, kıyıda zeytin ve portakal yetişir. \
         Balıkçılar şafaktan önce denize açılır, öğleye doğru dönerler. Akşamları insanlar evin önünde oturur, çay içer ve gün boyunca \
         neler olduğunu anlatırlar.",
    ),
    (
        "Ukrainian",
        "Взимку погода холодна і річка замерзає, а влітку в ній купаються діти. У горах сніг лежить до травня. Селяни сіють жито й \
         пшеницю, а восени люди ходять до лісу по гриби. Рибалки виходять у море ще до світанку. Увечері всі сидять за столом, п'ють \
         чай і розповідають, що трапилося за день.",
    ),
    (
        "Vietnamese",
        "Mùa đông trời lạnh và trên núi có sương mù, còn mùa hè trẻ em thích bơi ở sông. Nông dân trồng lúa, mía và nhiều loại trái cây. \
         Ngư dân ra khơi trước khi mặt trời mọc và trở về vào buổi trưa. Buổi tối mọi người ngồi trước nhà, uống trà và kể cho nhau \
         nghe những chuyện trong ngày.",
    ),
];
