//! Han characters: which they are, and one form for those that are written in two ways.

/// Traditional forms that are common in names and prose, ascending; the simplified form stands at the same place of
/// [`SIMPLIFIED`]. Written by hand for Banyan; rarer characters keep their form.
const TRADITIONAL: &str = "\
    亂亞佈佔併來侶俠倉個們倫偉側偵偽傑傘備傭傳債傷傾僅僱價儀億儉償優儲兒內兩冊凍凱別刪則剛創劇劉劍勁動務勝勞勢勳勵勸\
    匯區協卻厲參吳呂員問啟喪喬單嗎嘆嘗噸嚇嚴國圍園圓圖團執堅報場塊塵墜墳墾壇壓壘壞壟壩壯壺壽夠夢夾奧奪奮婦媽嬌孫學宮\
    實寧審寫寬寶將專尋對導屆層屬岡峯島峽崗嶺嶼嶽巖帥師帳帶幣幫幾廈廟廠廢廬廳張強彈彌彎彙後徑從復徵徹悅惡愛態慘慣慶憂\
    憐憑憤憲憶懇應懷懸懼戀戰戲戶捨捲掃掄掛採揚換揮搖搶撫撲撿擇擊擔據擠擬擴擾攏攜攝攤敗敘敵數斷於時晉晝暈暫曆曉曠書會\
    東條棄棗棟棧棲楊楓業極榮構槍樂樓標樞樣樹橋機橫檔檢檯櫃櫻欄權歎歐歡歲歷歸殘殺殼氣決沒沖況涼淒淚淨淪淵淺減渦測湊湧\
    湯溝溫溼滄滅滬滲漁漢漲漸漿潔潤潰澇澗澤濃濕濘濟濤濰濱瀉瀋瀏灑灘灣災為烏無煉煙煩熱燈燒營燭爍爐爛爭爲爺爾牆牽狀獄獅\
    獎獨獲獵獸獻現瑪環瓊產畝畢畫異當瘋瘡療癢發皺盜盞監盤盧眾矚碩確碼磚礎礦禍禦禮種稱穀積穩窮竊競筆節範築簡籃糧糾紀約\
    紅納紐純紙級細紹終組結絕絡給統絲經綠綫維綱網緊線緣編緬練縣縫縮縱總績織繪繳繼續纏罰罷羅羣義習聖聞聯聰聲職聽脅脈腦\
    腫腳腸膚臉臥臨臺與興舉舊艙艦莊莖華萊萬葉蒼蓋蓮蕪蕭薦薩藍藝藥蘆蘇蘋蘭處虛號虧蝕蝦蟲蠟衆術衛衝裊裏補裝裡製複襪襲見\
    規視親覺覽觀觸訂計討訓記訪設許訴診評詞試詩話詳認誕語誠誤說誰課調談請論諸謀講謝謠證識譜譯議護譽變讓豈豐豔豬貓貝負\
    財貢貧貨販貫責貴買費賀資賈賊賓賜賞賢賣賦質購賽贈贊贏贛趕趙蹤躍車軌軍軟較載輕輛輝輪輯輸轄轉辦農這連週進遊運過達違\
    遜遞遠適遲遷選遺遼還邊鄉鄧鄭鄰醫醬釋針鈴鉛銀銅銘銷鋒鋪鋼錄錢錫錶鍵鎊鎖鎮鏈鏡鐘鐵鑄鑒長門閉開閒間閣閩閱闆闊關闡陝\
    陣陰陳陸陽隊階際隨險隱隻雖雙雜雞離難雲電霧靈靜韋韓頁頂頃項順須預頒領頭頻顆題額顏願類顧顯風飄飛飯飲飾養餘館饒馬馮\
    駐駕騎騙騰驗驚驛體髮鬆鬥鬧鬱魚魯鮮鯉鯨鳥鳳鳴鴻鵝鵬鶴鷗鷹鷺鹽麗麥麪麵麼黃點黨齊齋齒齡龍龐龜";
const SIMPLIFIED: &str = "\
    乱亚布占并来侣侠仓个们伦伟侧侦伪杰伞备佣传债伤倾仅雇价仪亿俭偿优储儿内两册冻凯别删则刚创剧刘剑劲动务胜劳势勋励劝\
    汇区协却厉参吴吕员问启丧乔单吗叹尝吨吓严国围园圆图团执坚报场块尘坠坟垦坛压垒坏垄坝壮壶寿够梦夹奥夺奋妇妈娇孙学宫\
    实宁审写宽宝将专寻对导届层属冈峰岛峡岗岭屿岳岩帅师帐带币帮几厦庙厂废庐厅张强弹弥弯汇后径从复征彻悦恶爱态惨惯庆忧\
    怜凭愤宪忆恳应怀悬惧恋战戏户舍卷扫抡挂采扬换挥摇抢抚扑捡择击担据挤拟扩扰拢携摄摊败叙敌数断于时晋昼晕暂历晓旷书会\
    东条弃枣栋栈栖杨枫业极荣构枪乐楼标枢样树桥机横档检台柜樱栏权叹欧欢岁历归残杀壳气决没冲况凉凄泪净沦渊浅减涡测凑涌\
    汤沟温湿沧灭沪渗渔汉涨渐浆洁润溃涝涧泽浓湿泞济涛潍滨泻沈浏洒滩湾灾为乌无炼烟烦热灯烧营烛烁炉烂争为爷尔墙牵状狱狮\
    奖独获猎兽献现玛环琼产亩毕画异当疯疮疗痒发皱盗盏监盘卢众瞩硕确码砖础矿祸御礼种称谷积稳穷窃竞笔节范筑简篮粮纠纪约\
    红纳纽纯纸级细绍终组结绝络给统丝经绿线维纲网紧线缘编缅练县缝缩纵总绩织绘缴继续缠罚罢罗群义习圣闻联聪声职听胁脉脑\
    肿脚肠肤脸卧临台与兴举旧舱舰庄茎华莱万叶苍盖莲芜萧荐萨蓝艺药芦苏苹兰处虚号亏蚀虾虫蜡众术卫冲袅里补装里制复袜袭见\
    规视亲觉览观触订计讨训记访设许诉诊评词试诗话详认诞语诚误说谁课调谈请论诸谋讲谢谣证识谱译议护誉变让岂丰艳猪猫贝负\
    财贡贫货贩贯责贵买费贺资贾贼宾赐赏贤卖赋质购赛赠赞赢赣赶赵踪跃车轨军软较载轻辆辉轮辑输辖转办农这连周进游运过达违\
    逊递远适迟迁选遗辽还边乡邓郑邻医酱释针铃铅银铜铭销锋铺钢录钱锡表键镑锁镇链镜钟铁铸鉴长门闭开闲间阁闽阅板阔关阐陕\
    阵阴陈陆阳队阶际随险隐只虽双杂鸡离难云电雾灵静韦韩页顶顷项顺须预颁领头频颗题额颜愿类顾显风飘飞饭饮饰养余馆饶马冯\
    驻驾骑骗腾验惊驿体发松斗闹郁鱼鲁鲜鲤鲸鸟凤鸣鸿鹅鹏鹤鸥鹰鹭盐丽麦面面么黄点党齐斋齿龄龙庞龟";
/// Length of each of these characters in UTF-8.
const WIDTH: usize = 3;

/// Whether a character is one that Chinese is written with.
pub fn is_han(ch: char) -> bool {
    matches!(ch, '\u{3007}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

/// The simplified form of a traditional character, any other character as it is. Both have the same length in UTF-8, so
/// that spans of the one text hold in the other. Cost O(1).
///
/// ```
/// assert_eq!("東嶺省, Tidd".chars().map(banyan_engine::script::simplified).collect::<String>(), "东岭省, Tidd");
/// ```
pub fn simplified(ch: char) -> char {
    if !is_han(ch) {
        return ch;
    }
    let (mut low, mut high) = (0, TRADITIONAL.len() / WIDTH);
    while low < high {
        let middle = usize::midpoint(low, high);
        match at(TRADITIONAL, middle) {
            Some(found) if found == ch => return at(SIMPLIFIED, middle).unwrap_or(ch),
            Some(found) if found < ch => low = middle + 1,
            _ => high = middle,
        }
    }
    ch
}

/// The character at a place of one of the tables.
fn at(table: &str, place: usize) -> Option<char> {
    table.get(place * WIDTH..)?.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_go_together() {
        let all = || TRADITIONAL.chars().zip(SIMPLIFIED.chars());
        assert_eq!(TRADITIONAL.len(), SIMPLIFIED.len());
        assert!(all().all(|(one, other)| one.len_utf8() == WIDTH && other.len_utf8() == WIDTH));
        assert!(TRADITIONAL.chars().is_sorted());
        for (traditional, expected) in all() {
            assert_eq!(simplified(traditional), expected);
            assert_eq!(simplified(expected), expected, "{traditional}");
        }
    }
}
