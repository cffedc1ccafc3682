/**
 * Well-known passwords of twelve and more characters, in lower case, after the substitutions of
 * `password_policy.ts` are undone. Shorter ones are refused by their length, and repetitions, runs
 * of the keyboard and a common word with digits by rules.
 */
export const wellKnownPasswords: ReadonlySet<string> = new Set(
  `
  administration administrador administrateur adminpassword adminpassword1 passwordadmin
  adminadminadmin adminpass1234 rootpassword superadmin123 superadministrator systemadministrator
  sysadmin1234 webadmin1234 localadmin123 domainadmin12 masterpassword supersecret1 supersecret123
  supersecretpassword verysecretpassword topsecret123 secretpassword secretpassword1 secretsecret
  mysecretpassword thisissecret thisisasecret passwordpassword password1password mypassword123
  mypassword1234 mypasswordis mypasswordispassword thisismypassword thisisapassword thisispassword
  newpassword1 newpassword123 newpassword1234 oldpassword123 defaultpassword temporarypassword
  temppassword temppassword1 temppassword123 testpassword testpassword1 testpassword123
  userpassword userpassword1 userpassword123 yourpassword yourpassword1 yourpassword123
  goodpassword badpassword12 strongpassword strongpassword1 strongpassword123 securepassword
  securepassword1 securepassword123 longpassword12 forgotpassword nopassword123 emptypassword
  changepassword changemenow1 changemeplease changethispassword pleasechangeme pleasechange1
  changeit1234 letmeinplease letmeinletmein letmeinnow123 pleaseletmein openthedoor12 opensesame12
  opensesame123 abracadabra1 abracadabra123 welcomewelcome welcomehome1 welcomehome123
  welcometohell welcomeback1 helloworld12 helloworld123 helloworld1234 hellohello12 hellohello123
  hellokitty12 hellokitty123 hellothere12 hellothere123 goodmorning1 goodmorning123 goodevening1
  goodbye12345 whatever1234 whateverwhatever iloveyouiloveyou iloveyousomuch iloveyouforever
  iloveyoubaby iloveyoubaby1 iloveyou4ever iloveyoutoo1 iloveyouall1 iloveyoualot iloveyoumom1
  iloveyoudad1 iloveyougod1 ilovemyself1 ilovemyself123 ilovemymom12 ilovemyfamily ilovemyfamily1
  ilovemydog12 ilovemycat12 ilovemylife1 ilovejesus12 ilovejesus123 ilovechocolate ilovemusic12
  ilovemusic123 loveyouforever loveforever1 loveisintheair mylovemylove myloveforever foreverlove1
  foreveryoung foreveryoung1 foreverandever foreveralone babygirl1234 babygirl12345 babygirl123456
  babybaby1234 princessprincess prettygirl12 prettyprincess beautiful123 beautiful1234
  beautifulgirl beautifullife sweetheart12 sweetheart123 sweethearts1 sweetdreams1 sweetdreams123
  sunshinesunshine moonlight123 moonlight1234 rainbow12345 butterfly123 butterfly1234 butterflies1
  strawberry12 strawberry123 strawberries chocolate123 chocolate1234 cheesecake12 cheeseburger
  cheeseburger1 watermelon12 watermelon123 blueberry123 pineapple123 applepie1234 bananabanana
  supermanbatman batman123456 batmanrobin1 spiderman123 spiderman1234 wonderwoman1 captainamerica
  captainamerica1 ironman12345 avengers1234 lukeskywalker darthvader12 darthvader123
  maytheforcebewithyou harrypotter1 harrypotter123 harrypotter7 hermionegranger dumbledore12
  gameofthrones gameofthrones1 winteriscoming valarmorghulis lordoftherings lordoftherings1
  youshallnotpass pokemon12345 pokemonmaster pikachu12345 minecraft123 minecraft1234 fortnite1234
  callofduty12 callofduty123 leagueoflegends worldofwarcraft worldofwarcraft1 counterstrike
  counterstrike1 playstation1 playstation2 playstation3 playstation4 playstation5 playstation123
  nintendo1234 finalfantasy finalfantasy7 kingdomhearts metallica123 ironmaiden12 linkinpark12
  linkinpark123 slipknot1234 greenday1234 nirvana12345 michaeljackson justinbieber justinbieber1
  onedirection onedirection1 taylorswift1 taylorswift13 basketball12 basketball123 basketball1234
  volleyball12 skateboard12 skateboarding snowboarding manchesterunited manchester123
  manchestercity liverpool123 liverpool1234 liverpoolfc1 chelseafc123 arsenal12345 barcelona123
  barcelona1234 realmadrid12 realmadrid123 juventus1234 bayernmunchen galatasaray1 galatasaray1905
  fenerbahce1907 besiktas1903 steelers1234 cowboys12345 yankees12345 lakers123456 michaeljordan
  jordan232323 computer1234 computer12345 computer123456 computercomputer internet1234
  internet12345 technology12 engineering1 programming1 programmer12 javascript12 helpdesk1234
  support12345 service12345 customer1234 company12345 business1234 security1234 security12345
  securitysecurity network12345 database1234 server123456 backup123456 monitoring12 documentation
  filebrowser1 filebrowser123 filemanager1 filemanager123 raspberrypi1 raspberrypi123 synology1234
  homeassistant nextcloud123 owncloud1234 ubuntuubuntu linuxlinux12 windows12345 microsoft123
  microsoft1234 google123456 googlegoogle facebook1234 facebook12345 instagram123 whatsapp1234
  youtube12345 linkedin1234 hacker123456 hackerhacker anonymous123 anonymous1234 matrix123456
  trustno1trustno1 trustnobody1 nobodyknows1 dontforgetit dontforgetme donotforget1 iforgotit1234
  icantremember idontknow123 idontknow1234 idontcare123 idontcare1234 whatisthis12 whatsmyname1
  guesswhat123 guessmypassword justdoit1234 imthebest123 iamthebest123 iamtheone123 whoami123456
  christmas123 christmas1234 halloween123 halloween1234 thanksgiving thanksgiving1 valentine123
  birthday1234 happybirthday happybirthday1 happynewyear happynewyear1 summer2020summer
  jesuschrist1 jesuschrist123 jesusislord1 jesuslovesme jesuslovesme1 godisgood123 godisgreat12
  godisgreat123 godblessme12 blessed12345 hallelujah12 heavenonearth alexander123 alexander1234
  christopher1 christopher123 christian123 christine123 elizabeth123 elizabeth1234 jennifer1234
  jennifer12345 michelle1234 stephanie123 jonathan1234 nicholas1234 benjamin1234 samantha1234
  charlotte123 gabriel12345 michael12345 michael123456 jordan123456 daniel123456 jessica12345
  ashley123456 charlie12345 thomas123456 andrew123456 joshua123456 matthew12345 anthony12345
  patrick12345 william12345 richard12345 maria1234567 fernando1234 alejandro123 alejandra123
  francisco123 guadalupe123 micontrasena monmotdepasse meinpasswort geheim123456 ficken123456
  schatz123456 wachtwoord12 wachtwoord123 welkom123456 losenord1234 salasana1234 haslo1234567
  hasloadmin12 zaq12wsxcde3 minhasenha12 teamo1234567 teamomucho12 teamomucho123 tequieromucho
  tequiero1234 mivida123456 bonjour12345 doudou123456 marseille123 azertyuiop12 azertyuiop123
  azertyuiop1234 qwertzuiop12 qwertzuiop123 qwertyqwerty qwertyqwerty1 qwertyuiop12 qwertyuiop123
  qwertyuiop1234 qwertyuiop123456 qwertyasdfgh qwertyasdfzxcv qweasdzxc123 qweasdzxcqweasdzxc
  qweqweqwe123 qwe123qwe123 qwe123asd456 qweasd123456 qwer1234asdf qwer1234qwer asdfghjkl123
  asdfghjkl1234 asdfasdfasdf1 asdf1234asdf asdfqwer1234 asd123asd123 zxcvbnm12345 zxcvbnm123456
  zxcvbnm123456789 zxcvbnmasdfghjkl asdfghjklqwertyuiop 1q2w3e4r5t6y 1q2w3e4r5t6y7u
  1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6 q1w2e3r4t5y6u7 1qaz2wsx3edc 1qaz2wsx3edc4rfv
  qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qaz123wsx456 1qazxsw23edc zaq1xsw2cde3 zaq12wsx34edc
  !qaz2wsx3edc 1qaz@wsx3edc abc123abc123 abcd12345678 abcd1234abcd abcd1234efgh abcde1234567
  aaa123456789 a1b2c3d4e5f6 a1b2c3d4e5f6g7 1a2b3c4d5e6f 123abc456def 123456abcdef 123456789qwe
  123456789asd 1234567890qwe 1234qwerasdf 1234qwerasdfzxcv 123qweasdzxc 123qwe123qwe 123qwe456asd
  123123123qwe 12344321qwer 123454321123 123321123321 147258369123 159357258456 159753456852
  147852369147 741852963741 789456123789 789456123000 987654321987 112233445566 11223344556677
  111222333444 121212343434 123451234512 314159265358 3141592653589 31415926535897 299792458299
  `.trim().split(/\s+/),
);
