import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import iconv from 'iconv-lite';
import { decodeFile } from '../../../demo/team/file-text.ts';

// Without the characters that Node.js 20 decodes wrongly in windows-1252, such as the euro sign. Browsers decode them.
const texts = {
  English: 'Name;Price\nBig bowl;£25\n',
  French: 'Café;Prix\nDéjà été à Évreux;25\n',
  Arabic: 'الخزانة;السعر\nخزانة زمردية;٢٥ ريالًا\n',
};

describe('The text of a file that an owner picks', () => {
  for (const [language, text] of Object.entries(texts)) {
    const windows = language === 'Arabic' ? 'windows-1256' : 'windows-1252';
    const digits = text.replaceAll(/[٠-٩]/g, '2');
    it(`is read in each encoding that programs write (${language})`, () => {
      for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'])
        assert.equal(decodeFile(iconv.encode(text, encoding, { addBOM: true })), text, encoding);
      assert.equal(decodeFile(iconv.encode(text, 'utf-8')), text);
      // These have no Arabic digits.
      assert.equal(decodeFile(iconv.encode(digits, windows)), digits, windows);
    });
  }
});
