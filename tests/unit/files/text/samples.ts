/** Everyday sentences, and encodings in which such are found. */
const sentences: [string[], string][] = [
  [
    ["windows-1252"],
    "Où est passée la clé? Elle était déjà à côté de la fenêtre, près du café.\r\n",
  ],
  [["windows-1252"], "Für die Prüfung müssen wir größere Flächen über den Straßen räumen.\r\n"],
  [["windows-1252"], "¿Dónde está el niño? Mañana volverá con su compañía, según él decía.\r\n"],
  [
    ["windows-1250", "iso-8859-2"],
    "Zażółć gęślą jaźń. Proszę wybrać plik, który chcesz usunąć z bieżącego katalogu.\r\n",
  ],
  [["windows-1250"], "Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo ho neslyšel.\r\n"],
  [
    ["windows-1251", "koi8-r", "ibm866", "iso-8859-5"],
    "Это простой русский текст: мы хотим узнать, в какой кодировке он записан.\r\n",
  ],
  [
    ["windows-1251", "koi8-u"],
    "Це звичайний український текст, який містить її, є та інші літери абетки.\r\n",
  ],
  [["windows-1253"], "Αυτό είναι ένα απλό κείμενο στα ελληνικά, με τόνους και σημεία στίξης.\r\n"],
  [["windows-1254"], "Bu Türkçe yazılmış bir cümledir; içinde ğ, ş ve ı harfleri de vardır.\r\n"],
  [["windows-1255"], "זהו טקסט פשוט בעברית, שנכתב כדי לבדוק את הקידוד של הקובץ.\r\n"],
  [["windows-1256"], "هذا نص بسيط باللغة العربية كتب من أجل معرفة ترميز الملف الذي حفظ فيه.\r\n"],
  [["windows-874"], "นี่คือข้อความภาษาไทยธรรมดาที่เขียนขึ้นเพื่อทดสอบการเข้ารหัส\r\n"],
  [
    ["shift_jis", "euc-jp"],
    "これは普通の日本語の文章です。ファイルの文字コードを調べるために書きました。\r\n",
  ],
  [["euc-kr"], "이것은 파일의 문자 인코딩을 알아보기 위해 쓴 평범한 한국어 문장입니다.\r\n"],
  [["gb18030"], "这是一段普通的中文文字，用来检查文件的编码是否能够被正确识别。\r\n"],
  [["big5"], "這是一段普通的中文文字，用來檢查檔案的編碼是否能夠被正確識別。\r\n"],
];

/** Pairs of an encoding and a text that is written in it. */
export const samples: [string, string][] = sentences.flatMap(([encodings, sentence]) =>
  encodings.map((encoding): [string, string] => [encoding, sentence])
);
