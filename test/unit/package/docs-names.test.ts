import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { languageModelFiles } from '../../../docs/site/language-model-files.ts';
import { pageGroups } from '../../../docs/site/pages.ts';
import { manifest, type Manifest } from '../../../scripts/manifest.ts';
import { markdownPages } from '../../support/docs-pages.ts';

/** The commands and attributes that only the script tag has. */
const tagAttributes = ['only-on', 'not-on', 'delay'];
const commands = ['configure', 'on', 'off', 'ready', 'destroy', 'doctor', 'consent'];

describe('Names in the docs', () => {
  let pages: [file: string, text: string][];
  let element: Manifest['element'];
  let members: Set<string>;
  let attributes: Set<string>;

  /** Fails for each name that matches `pattern` in a page and is unknown. Returns the number of known names. */
  const check = (
    pattern: RegExp,
    known: ReadonlySet<string>,
    nameOf = (match: RegExpMatchArray) => match[1]!,
  ): number => {
    let count = 0;
    for (const [file, text] of pages) {
      for (const match of text.matchAll(pattern)) {
        assert(known.has(nameOf(match)), `${file}: there is no ${nameOf(match)} (“${match[0]}”)`);
        count++;
      }
    }
    return count;
  };

  before(async () => {
    ({ element } = await manifest());
    members = new Set(element.members!.map(({ name }) => name));
    attributes = new Set(element.attributes!.map(({ name }) => name));
    pages = (await markdownPages()).map(({ file, text }) => [file, text]);
    const texts = new Map(pages);
    const files = languageModelFiles(pageGroups.en, (page) => texts.get(`docs/${page}.md`)!, '/');
    pages.push(['llms.txt', files['llms.txt']]);
  });

  it('include only events of the element', () => {
    // The key of a stored choice is no event.
    const names = new Set([...element.events!.map(({ name }) => name), 'workspace-chat-notify']);
    const written = /(?:^|[^-.\w/])(?:on|@|\()?(workspace-chat-(?:[a-z]+))(?=[`'"=)])/gm;
    assert(check(written, names) > 10);
  });

  it('include only members of the element', () => {
    assert(check(/(?<![-\w/])chat(?:\.current\?)?\.(?!addEventListener|current\b)(\w+)/g, members) > 15);
  });

  it('include only attributes of the element, in HTML and as data-*', () => {
    const known = new Set([...attributes, ...[...attributes, ...tagAttributes].map((name) => `data-${name}`)]);
    assert(check(/\bdata-([a-z-]+)=/g, known, ([, name]) => `data-${name}`) > 10);
    const frameworks = new Set([...attributes, 'id', 'ref', 'slot', 'class', 'style']);
    for (const [file, text] of pages) {
      for (const [, tag] of text.matchAll(/<workspace-chat\s([^>]*?)\/?>/g)) {
        const names = [...tag!.matchAll(/(?:^|\s)[:[]?(?:attr\.)?([a-z][a-z-]*)\]?=/g)].map((match) => match[1]!);
        for (const name of names.filter((each) => !each.startsWith('onworkspace-chat-'))) {
          assert(frameworks.has(name), `${file}: there is no attribute ${name}`);
        }
      }
    }
  });

  it('include only custom properties, parts, states and slots of the element', () => {
    assert(check(/(--workspace-chat-[a-z-]*[a-z])/g, new Set(element.cssProperties!.map(({ name }) => name))) > 8);
    assert(check(/::part\(([a-z-]+)\)/g, new Set(element.cssParts!.map(({ name }) => name))) > 3);
    assert(check(/:state\(([a-z-]+)\)/g, new Set(element.cssStates.map(({ name }) => name))) > 3);
    assert(check(/\bslot="([a-z-]+)"/g, new Set(element.slots!.map(({ name }) => name))) > 3);
  });

  it('include only commands of the script tag', () => {
    const methods = element.members!.filter(({ kind }) => kind === 'method').map(({ name }) => name);
    assert(check(/\bWorkspaceChat\('(\w+)'/g, new Set([...methods, ...commands])) > 5);
  });

  it('include every flag that the code stores in the browser', async () => {
    const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.ts'));
    const code = await Promise.all(files.map((file) => readFile(`src/${file}`, 'utf8')));
    const flags = code
      .flatMap((text) => text.match(/(?<=(?:tabFlag|visitValue)\(['`]workspace-chat-)\w+/g) ?? [])
      .sort();
    assert.deepEqual(flags, ['open', 'rated', 'sound', 'teaser', 'visit', 'wide']);
    const keys = code
      .filter((text) => text.includes('localStorage'))
      .flatMap((text) => text.match(/(?<=['`])workspace-chat-(?:consent|notify)\b/g) ?? []);
    assert.deepEqual([...new Set(keys)].sort(), ['workspace-chat-consent', 'workspace-chat-notify']);
    const values = code.flatMap((text) => text.match(/(?<=\bstoredValue\(['`])workspace-chat-[\w-]+/g) ?? []).sort();
    assert.deepEqual(values, ['workspace-chat-teaser', 'workspace-chat-teaser-reply', 'workspace-chat-visits']);
    const [, security] = pages.find(([file]) => file === 'docs/security.md')!;
    const row = /^\| whether .*`sessionStorage`/m.exec(security)![0];
    const exception = /The flags of the table remain: [^.]*\./.exec(security)![0];
    for (const key of [...keys, ...values]) assert(security.includes(`\`${key}`), key);
    for (const flag of flags) for (const text of [row, exception]) assert(text.includes(flag), `${flag}: ${text}`);
  });
});
