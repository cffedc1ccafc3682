/** Names of files in encodings of before Unicode, as archives of old systems have them. */
export const oldNames: Readonly<Record<string, { names: string[]; bytes: Uint8Array[] }>> = {
  "Shift_JIS": {
    names: ["報告書.txt", "写真アルバム.jpg", "会議の資料.pdf"],
    bytes: [
      "95f18d908f912e747874",
      "8eca905e8341838b836f83802e6a7067",
      "89ef8b6382cc8e9197bf2e706466",
    ].map((digits) => Uint8Array.fromHex(digits)),
  },
  "EUC-KR": {
    names: ["보고서.txt", "사진 모음.jpg", "회의 자료.pdf"],
    bytes: ["bab8b0edbcad2e747874", "bbe7c1f820b8f0c0bd2e6a7067", "c8b8c0c720c0dab7e12e706466"].map(
      (digits) => Uint8Array.fromHex(digits),
    ),
  },
  "GBK": {
    names: ["报告书.txt", "照片合集.jpg", "会议资料.pdf"],
    bytes: ["b1a8b8e6cae92e747874", "d5d5c6acbacfbcaf2e6a7067", "bbe1d2e9d7cac1cf2e706466"].map((
      digits,
    ) => Uint8Array.fromHex(digits)),
  },
  "CP437": {
    names: ["Übersicht.txt", "Größe.jpg", "café.pdf"],
    bytes: ["9a62657273696368742e747874", "477294e1652e6a7067", "636166822e706466"].map((digits) =>
      Uint8Array.fromHex(digits)
    ),
  },
  "Latin-1": {
    names: ["Übersicht.txt", "Größe.jpg", "café.pdf"],
    bytes: ["dc62657273696368742e747874", "4772f6df652e6a7067", "636166e92e706466"].map((digits) =>
      Uint8Array.fromHex(digits)
    ),
  },
};
