import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { before, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { cssData, htmlData, manifest, tokenDefaults, webTypes, type Manifest } from '../../../scripts/manifest.ts';
import { referencePage } from '../../../scripts/generated-docs.ts';
import { WorkspaceChatElement } from '../../../src/element.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { choices } from '../../../src/products/doctor/attributes.ts';
import { kinds } from '../../../src/products/doctor/theme.ts';
import * as exported from '../../../src/element.ts';

const require = createRequire(import.meta.url);
const sorted = (names: Iterable<string>) => [...names].sort();

interface Named {
  name: string;
}

/** The part of the web types that is checked. */
interface WebTypes extends Named {
  version: string;
  contributions: {
    html: {
      elements: (Named & {
        attributes: (Named & { value: { type: string } })[];
        slots: Named[];
        js: { properties: Named[]; events: Named[] };
      })[];
    };
    css: { properties: Named[]; 'pseudo-elements': Named[] };
  };
}

const namesOf = (list: readonly { name?: string }[] = []) => sorted(list.map(({ name }) => name!));

describe('The custom elements manifest', () => {
  let made: Manifest;

  before(async () => {
    made = await manifest();
  });

  it('is valid by its schema', () => {
    const schema = require('custom-elements-manifest/schema.json') as object;
    const validate = new Ajv({ strict: false }).compile(schema);
    assert(validate(structuredClone(made.package)), JSON.stringify(validate.errors, null, 1));
  });

  it('makes the API reference of the docs', async () => {
    const { current, written } = await referencePage();
    assert.equal(current, written, 'run `npx tsx scripts/generated-docs.ts`');
  });

  it('has every custom property of the style sheet with its default', () => {
    const defaults = tokenDefaults();
    const { cssProperties = [] } = made.element;
    assert.deepEqual(namesOf(cssProperties), sorted(defaults.keys()));
    for (const { name, default: value } of cssProperties) assert.equal(value, defaults.get(name), name);
    assert.equal(defaults.get('--workspace-chat-width'), '25em');
    // The doctor checks the value of each.
    const checked = Object.values(kinds).flatMap((ends) => ends.split(' ').map((end) => `--workspace-chat-${end}`));
    assert.deepEqual(sorted(checked), sorted(defaults.keys()));
    assert.equal(defaults.get('--workspace-chat-visitor-bubble'), 'var(--workspace-chat-accent)');
  });

  it('has every custom property and part of the theming page, with the same descriptions and defaults', async () => {
    const [page = ''] = (await readFile('docs/theming.md', 'utf8')).split('\n## Modes');
    const rows = [...page.matchAll(/^\| `([^`]+)` +\| ([^|]+?) +\|(?: `([^`]+)` +\|)?$/gm)];
    const { cssProperties = [], cssParts = [] } = made.element;
    const shorten = (text = '') => text.replaceAll('--workspace-chat-', '--…-');
    const expected = [
      ...cssProperties.map(({ name, description, default: value }) => [
        name.slice('--workspace-chat-'.length),
        description,
        shorten(value),
      ]),
      ...cssParts.map(({ name, description }) => [name, description]),
    ];
    const lines = (entries: (string | undefined)[][]) =>
      sorted(entries.map((entry) => entry.filter(Boolean).join(' | ')));
    assert.deepEqual(lines(rows.map(([, ...cells]) => cells)), lines(expected));
  });

  it('has the values that the doctor knows for each attribute with a list of them', () => {
    const { attributes = [] } = made.element;
    const lists = attributes.flatMap(({ name, type }) => {
      const values = [...(type?.text ?? '').matchAll(/'([^']+)'/g)].map(([, value]) => value!);
      return values.length > 0 ? [[name, values.join(' ')] as const] : [];
    });
    assert.deepEqual(Object.fromEntries(lists), choices);
  });

  it('makes the brands that the theming page shows and the gallery uses', async () => {
    const [page, css] = await Promise.all(['docs/theming.md', 'demo/brands.css'].map((file) => readFile(file, 'utf8')));
    const rules = [...css!.matchAll(/^\.brand-\w+[^{]*\{[^}]*\}/gm)].map(([rule]) => rule);
    assert(rules.length >= 6);
    for (const rule of rules) assert(page!.includes(rule.replaceAll(/\.brand-\w+/g, 'workspace-chat')), rule);
  });

  it('describes every member', () => {
    const { element } = made;
    const {
      attributes = [],
      members = [],
      events = [],
      slots = [],
      cssParts = [],
      cssProperties = [],
      cssStates,
    } = element;
    for (const each of [...attributes, ...members, ...events, ...slots, ...cssParts, ...cssProperties, ...cssStates]) {
      assert(each.description, `${each.name} is not described`);
    }
    for (const member of members) {
      const type = member.kind === 'method' ? member.return?.type : member.type;
      assert(type?.text, `${member.name} has no type`);
    }
  });

  it('names the exported classes of the events', () => {
    for (const { name, type } of made.element.events!) {
      assert(type.text in exported, `${name}: ${type.text}`);
      assert(made.eventClasses.has(type.text), type.text);
    }
  });

  it('has exactly the attributes that the class observes', () => {
    assert.deepEqual(namesOf(made.element.attributes), sorted(WorkspaceChatElement.observedAttributes));
  });

  it('gives editors the values of attributes, and parts and states as selectors', () => {
    const [tag] = htmlData(made.element).tags;
    const mode = tag!.attributes.find(({ name }) => name === 'mode');
    assert.deepEqual(mode?.values, [{ name: 'floating' }, { name: 'inline' }, { name: 'fullscreen' }]);
    const css = cssData(made.element);
    assert(css.pseudoElements.some(({ name }) => name === '::part(send)'));
    assert(css.pseudoClasses.some(({ name }) => name === ':state(busy)'));
    assert.match(css.properties.find(({ name }) => name === '--workspace-chat-width')!.description!, /Default: 25em/);
  });

  it('gives JetBrains editors the same attributes, properties, events, slots, custom properties and parts', () => {
    const { element } = made;
    const { name, version, contributions } = webTypes(made.package) as WebTypes;
    assert.deepEqual({ name, version }, { name: packageJson.name, version: packageJson.version });
    const [tag] = contributions.html.elements;
    assert.equal(tag!.name, 'workspace-chat');
    assert.deepEqual(namesOf(tag!.attributes), namesOf(element.attributes));
    assert.deepEqual(namesOf(tag!.js.properties), namesOf(element.members!.filter(({ kind }) => kind === 'field')));
    assert.deepEqual(namesOf(tag!.js.events), namesOf(element.events));
    assert.deepEqual(namesOf(tag!.slots), namesOf(element.slots));
    assert.deepEqual(namesOf(contributions.css.properties), namesOf(element.cssProperties));
    assert.deepEqual(
      namesOf(contributions.css['pseudo-elements']),
      sorted(element.cssParts!.map((part) => `part(${part.name})`)),
    );
    const mode = tag!.attributes.find((attribute) => attribute.name === 'mode');
    assert.match(mode!.value.type, /'inline'/);
  });
});
