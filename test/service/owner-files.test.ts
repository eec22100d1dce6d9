/** Files as owners bring them: saved by other programs, in other encodings, with other separators, or not what they should be. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeText, requireReadable } from '../../service/knowledge/decode-text.ts';
import { passages } from '../../service/knowledge/chunks.ts';
import { parseCsv, spreadsheetText } from '../../service/knowledge/spreadsheet.ts';
import { useServer, useTestService } from './support.ts';

/** Encodes a text in a single-byte encoding. */
const encode = (text: string, label: string): Uint8Array => {
  const decoded = Array.from({ length: 256 }, (_, byte) => decodeText(Uint8Array.of(byte), `; charset=${label}`));
  return Uint8Array.from(Array.from(text, (character) => decoded.indexOf(character)));
};
const utf16 = (text: string, isBig = false): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
const marked = (mark: number[], bytes: Uint8Array): Uint8Array => Buffer.concat([Uint8Array.from(mark), bytes]);

const arabic = 'الاسم;السعر;المدينة\nإبريق خزف;12,5;مسقط\nصحن كبير;8;صلالة\n';
const german = 'Name;Preis;Maß\nKännchen „Süd“;12,50 €;klein\nTeller groß;8,00 €;groß\n';
const french = 'Nom,Prix\nThéière élégante,12 €\nAssiette creuse,8 €\n';

describe('the encoding of a file', () => {
  for (const [name, bytes, contentType, text] of [
    ['UTF-8', Buffer.from(arabic), 'text/csv', arabic],
    ['UTF-8 with a byte order mark', marked([0xef, 0xbb, 0xbf], Buffer.from(arabic)), '', arabic],
    ['UTF-16 LE with a byte order mark', marked([0xff, 0xfe], utf16(arabic)), '', arabic],
    ['UTF-16 BE with a byte order mark', marked([0xfe, 0xff], utf16(german, true)), '', german],
    ['UTF-16 LE without one', utf16(german), '', german],
    ['UTF-16 BE without one', utf16(french, true), '', french],
    ['Windows-1256 that the header names', encode(arabic, 'windows-1256'), 'text/csv; charset="windows-1256"', arabic],
    ['Windows-1256 that nothing names', encode(arabic, 'windows-1256'), 'text/csv', arabic],
    ['Windows-1256 that the header calls UTF-8', encode(arabic, 'windows-1256'), 'text/csv; charset=utf-8', arabic],
    ['Windows-1252 that nothing names', encode(german, 'windows-1252'), '', german],
    ['Windows-1252 with another name', encode(french, 'windows-1252'), 'text/csv; charset=iso-8859-1', french],
    ['an unknown encoding', encode(french, 'windows-1252'), 'text/csv; charset=x-unknown', french],
    [
      'Windows-1251 that a page names',
      encode('<meta charset="windows-1251"><p>Привет</p>', 'windows-1251'),
      'text/html',
      '<meta charset="windows-1251"><p>Привет</p>',
    ],
    ['nothing', new Uint8Array(), '', ''],
  ] as const)
    it(`is recognized: ${name}`, () => {
      assert.equal(decodeText(bytes, contentType), text);
    });

  for (const [name, start] of [
    ['an XLSX file', 'PK\x03\x04'],
    ['a PDF file', '%PDF-1.7'],
    ['an XLS file', '\xd0\xcf\x11\xe0'],
    ['a picture', '\x89PNG'],
  ] as const)
    it(`is none for ${name}`, () => {
      assert.throws(() => decodeText(Buffer.from(start, 'latin1')), { reason: 'not_text' });
    });

  it('is lost when a text has U+FFFD or NUL', () => {
    assert.throws(() => requireReadable('a\ufffdb'), { reason: 'bad_encoding' });
    assert.throws(() => requireReadable('a\0b'), { reason: 'not_text' });
    assert.equal(requireReadable('مرحبًا'), 'مرحبًا');
  });
});

describe('a spreadsheet', () => {
  const two = [
    ['Name', 'Price'],
    ['Jug', '12,5'],
    ['Plate', '8'],
  ];
  for (const [name, csv, rows] of [
    ['commas', 'Name,Price\nJug,"12,5"\nPlate,8\n', two],
    ['semicolons', 'Name;Price\nJug;12,5\nPlate;8\n', two],
    ['tabs', 'Name\tPrice\nJug\t12,5\nPlate\t8\n', two],
    ['bars', 'Name|Price\nJug|12,5\nPlate|8\n', two],
    ['a line that names the separator', 'sep=;\r\nName;Price\r\nJug;12,5\r\nPlate;8\r\n', two],
    ['a quoted line that names it', '"sep=;"\nName;Price\nJug;12,5\nPlate;8\n', two],
    ['a byte order mark and such a line', '\ufeffsep=\t\nName\tPrice\nJug\t12,5\nPlate\t8\n', two],
    ['old line ends', 'Name;Price\rJug;12,5\rPlate;8\r', two],
    [
      'quotation marks within cells',
      'Name,Size\nWheel 12" wide,large\n',
      [
        ['Name', 'Size'],
        ['Wheel 12" wide', 'large'],
      ],
    ],
    [
      'line ends, quotation marks and nothing in cells',
      'a,"b\nc",\n\n"d ""e"""\r\n,f',
      [['a', 'b\nc', ''], ['d "e"'], ['', 'f']],
    ],
    ['one column', 'Name\nJug, blue\n', [['Name'], ['Jug', 'blue']]],
    ['nothing', '', []],
  ] as const)
    it(`is read with ${name}`, () => {
      assert.deepEqual(parseCsv(csv), rows);
    });

  for (const [name, csv, text] of [
    ['headings', 'Name,Price\nJug,5\n', '## Jug\n\nPrice: 5'],
    [
      'title rows',
      'Price list 2026,,\n,,\nIn OMR,,\nName,Price,Size\nJug,5,S\n',
      '# Price list 2026 – In OMR\n\n## Jug\n\nPrice: 5\nSize: S',
    ],
    [
      'cells that are merged down',
      'Name,Size,Price\nJug,S,5\n,L,8\n',
      '## Jug\n\nSize: S\nPrice: 5\n\n## Jug\n\nSize: L\nPrice: 8',
    ],
    [
      'headings that are merged across',
      'Item,Price,,Size,\n,small,large,small,large\nJug,5,8,10 cm,20 cm\n',
      '## Jug\n\nPrice small: 5\nPrice large: 8\nSize small: 10 cm\nSize large: 20 cm',
    ],
    ['a column without a heading', 'Name,Price,\nJug,5,on request\n', '## Jug\n\nPrice: 5\non request'],
    ['a row without a name', 'Name,Price\n,5\n', '## 5\n\nPrice: 5'],
    ['headings that repeat', 'Name,Price\nJug,5\nName,Price\nPlate,8\n', '## Jug\n\nPrice: 5\n\n## Plate\n\nPrice: 8'],
    ['Arabic', 'الاسم;السعر\nإبريق;12,5\n', '## إبريق\n\nالسعر: 12,5'],
    ['nothing', '\n\n', ''],
  ] as const)
    it(`becomes passages with ${name}`, () => {
      assert.equal(spreadsheetText(csv), text);
      assert.doesNotMatch(spreadsheetText(csv), /^#+\s*$|^:|undefined/m);
    });
});

describe('the front matter of a Markdown file', () => {
  const body = '# Opening hours\n\nWe open at nine.';
  const found = [{ title: 'Opening hours', within: [], body: 'We open at nine.' }];
  for (const matter of [
    '---\ntitle: Internal draft\nauthor: Huda\ntags: [a, b]\n---\n',
    '---\r\ntitle: "Internal"\r\nlist:\r\n  - one\r\n  - two\r\n# a comment\r\n\r\ndraft: true\r\n---\r\n',
    '\ufeff---\ntitle: x\n...\n\n',
    '---\n---\n',
    '+++\ntitle = "x"\n+++\n',
  ])
    it(`is left out: ${JSON.stringify(matter)}`, () => {
      assert.deepEqual(passages(matter + body), found);
    });

  for (const text of [
    '---\n\nWe open at nine.\n\n---\n\nMore',
    '---\nWe open at nine.\nCome in\n---\nMore',
    'Text\n\n---\na: b\n---\n',
  ])
    it(`is not what only looks like it: ${JSON.stringify(text)}`, () => {
      const all = passages(text)
        .map((passage) => passage.body)
        .join('\n');
      assert.ok(
        text
          .split(/\n+/)
          .filter((line) => /\w/.test(line))
          .every((line) => all.includes(line)),
        all,
      );
    });
});

let served: { bytes: Uint8Array; type: string } = { bytes: new Uint8Array(), type: '' };
const server = useServer((response) => {
  response.writeHead(200, { 'content-type': served.type }).end(served.bytes);
});
const tested = useTestService({ allowLoopback: true });

describe('a source from a file that is not what was expected', () => {
  let serial = 0;
  const sources = '/agents/agt_palm_and_clay/sources';
  const read = async (id: string) => (await tested.api('GET', `${sources}/${id}`)).body;
  const addSheet = async (bytes: Uint8Array, type = 'text/csv') => {
    served = { bytes, type };
    const { body } = await tested.api('POST', sources, { type: 'sheet', url: `${server.url}/${++serial}.csv` });
    await tested.service.work();
    return read(body.id);
  };
  const addFile = async (name: string, text: string) => {
    const { id } = (await tested.callTeam('POST', sources, { type: 'file', name, text })).body;
    await tested.service.work();
    return read(id);
  };

  for (const [name, bytes, error] of [
    ['an XLSX file', Buffer.from('PK\x03\x04\x14\0\x06\0', 'latin1'), 'not_text'],
    ['a page of a sign-in', Buffer.from('\n <!doctype html><p>Sign in</p>'), 'not_csv'],
    ['characters that were lost before', Buffer.from('Name,City\nJug,Mus\ufffdcat\n'), 'bad_encoding'],
    ['only headings', Buffer.from('Name,City\n'), 'empty'],
  ] as const)
    it(`fails with a code: ${name}`, async () => {
      const { status, error: code } = await addSheet(bytes);
      assert.deepEqual([status, code], ['failed', error]);
    });

  it('fails with a code for a text and a file too', async () => {
    for (const [name, text, error] of [
      ['notes.txt', 'We open at n\ufffdne.', 'bad_encoding'],
      ['prices.csv', '<html></html>', 'not_csv'],
    ] as const) {
      const { status, error: code } = await addFile(name, text);
      assert.deepEqual([status, code], ['failed', error], name);
    }
    const { body: overview } = await tested.callTeam('GET', '/overview');
    const failed = overview.agents[0].sources.find((source: any) => source.name === 'notes.txt');
    assert.match(failed.error_message, /Save the file as UTF-8/);
  });

  it('answers from a sheet in Windows-1256 with semicolons, and from a file of the same kind', async () => {
    const sheet = await addSheet(encode('الخزانة;اللون\nخزانة زمردية;أخضر فيروزي\n', 'windows-1256'));
    assert.equal(sheet.status, 'indexed');
    assert.match((await tested.chat('خزانة زمردية')).body.message!.content, /أخضر فيروزي/);
    const file = await addFile('cabinets.csv', 'Cabinet;Color\nOpaline cabinet;turquoise green\n');
    assert.equal(file.status, 'indexed');
    assert.match((await tested.chat('What color is the opaline cabinet?')).body.message!.content, /turquoise green/);
  });
});
