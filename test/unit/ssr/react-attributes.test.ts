import assert from 'node:assert/strict';
import { it } from 'node:test';
import { attributesOf } from '../../../src/entries/element-binding.ts';
import { attributeName } from '../../../src/workspace-chat/attribute-name.ts';
import { WorkspaceChatProperties } from '../../../src/workspace-chat/properties.ts';

interface Declaration {
  type?: unknown;
  converter?: { fromAttribute(text: string): unknown };
}

it('The attributes of the React component have the meaning of its props', () => {
  const props = { heading: 'Help', teaserDelay: 500, open: true, rating: true, consent: true, enter: 'send' } as const;
  const attributes = attributesOf({ ...props, feedback: false, greeting: null, starters: ['A'] });
  const read = Object.entries(props).map(([name]) => {
    const { type, converter } = WorkspaceChatProperties.properties[name]! as Declaration;
    const text = attributes[attributeName(name)];
    if (text === undefined) return [name, undefined];
    if (converter) return [name, converter.fromAttribute(text)];
    return [name, type === Boolean ? true : type === Number ? Number(text) : text];
  });
  assert.deepEqual(Object.fromEntries(read), props);
  assert.deepEqual([attributes['open'], attributes['consent']], ['', 'true']);
  assert.equal(Object.keys(attributes).length, Object.keys(props).length);
});
