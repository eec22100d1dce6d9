import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { zipOf } from '../../../scripts/release.ts';

const files = new Map(
  ['embed.js', 'embed.js.map', 'locales/fr.js', 'integrity.json', 'snippet.txt', 'a-1.js'].map((name) => [
    name,
    strToU8(`// ${name}`),
  ]),
);
const pages = { 'installer.html': '<!doctype html>', 'theme-studio.html': '', 'gallery.html': '' };
const options = { version: '1.2.3', pages, date: new Date('2026-11-23T12:00:00Z') };

describe('the zip of a release', () => {
  it('is one folder with the files for script tags, the pages and a README', () => {
    const contents = unzipSync(zipOf(files, options));
    assert.deepEqual(Object.keys(contents).toSorted(), [
      'workspace-chat-1.2.3/README.txt',
      'workspace-chat-1.2.3/a-1.js',
      'workspace-chat-1.2.3/embed.js',
      'workspace-chat-1.2.3/gallery.html',
      'workspace-chat-1.2.3/installer.html',
      'workspace-chat-1.2.3/integrity.json',
      'workspace-chat-1.2.3/locales/fr.js',
      'workspace-chat-1.2.3/theme-studio.html',
    ]);
    assert.equal(strFromU8(contents['workspace-chat-1.2.3/embed.js']!), '// embed.js');
  });

  it('has a README of at most ten lines, with the tag, that any editor of Windows can show', () => {
    const readme = strFromU8(unzipSync(zipOf(files, options))['workspace-chat-1.2.3/README.txt']!);
    const lines = readme.trimEnd().split('\r\n');
    assert.ok(lines.length <= 10, `${lines.length} lines`);
    assert.ok(lines.some((line) => line.includes('<script async src=') && line.includes('data-publishable-key=')));
    assert.equal(/[^\r]\n|[^\x20-\x7E\r\n]/.test(readme), false);
  });

  it('has the same bytes for the same contents, in any order', () => {
    assert.deepEqual(zipOf(new Map([...files].toReversed()), options), zipOf(files, options));
  });
});
