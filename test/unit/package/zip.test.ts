import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { release, zipOf } from '../../../scripts/release.ts';

const files = new Map(
  ['embed.js', 'embed.js.map', 'locales/fr.js', 'integrity.json', 'snippet.txt', 'a-1.js'].map((name) => [
    name,
    strToU8(`// ${name}`),
  ]),
);
const pages = { 'installer.html': '<!doctype html>', 'theme-studio.html': '', 'gallery.html': '' };
const options = { version: '1.2.3', pages, date: new Date('2026-11-23T12:00:00Z') };

it('the folder of a release has every file of the build, with its hash in the snippet, and another name when any of them changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    for (const file of ['embed.js', 'chat-1.js', 'locales/fr.js', '0.0.9-abc/embed.js']) {
      await mkdir(join(folder, file, '..'), { recursive: true });
      await writeFile(join(folder, file), `// ${file}`);
    }
    const { name, integrity, snippet } = await release(folder, 'https://cdn.example');
    const names = ['chat-1.js', 'embed.js', 'locales/fr.js'];
    assert.deepEqual(Object.keys(integrity), names);
    assert.ok(snippet.includes(`https://cdn.example/${name}/locales/fr.js`));
    for (const file of names) assert.equal(await readFile(join(folder, name, file), 'utf8'), `// ${file}`);
    assert.equal((await readdir(join(folder, name))).length, 3);
    await writeFile(join(folder, 'locales/fr.js'), '// another text');
    assert.notEqual((await release(folder, 'https://cdn.example')).name, name);
  } finally {
    await rm(folder, { recursive: true });
  }
});

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
