/** Compiles what a template sets on the tag. */
import { it } from 'node:test';
import type { WorkspaceChatSolidNamespaces, WorkspaceChatTemplateProps } from '../../../src/entries/framework-props.ts';
import type { WorkspaceChatTagProps } from '../../../src/entries/react.ts';

/** Never called: the compiler checks it. */
const templates = (
  set: (props: WorkspaceChatTemplateProps) => void,
  setInReact: (props: WorkspaceChatTagProps) => void,
  setInSolid: (props: WorkspaceChatSolidNamespaces) => void,
) => {
  for (const setProps of [set, setInReact]) {
    setProps({ starters: ['When are you open?'], links: [], consent: true, 'base-url': '/api', speech: true });
    setProps({ starters: '["When are you open?"]', links: '[]', consent: '{}', 'team-hours': '{}' });
    setProps({ teamHours: { timeZone: 'UTC', hours: {} }, 'onworkspace-chat-open': (event) => event.preventDefault() });
    setProps({ 'hide-launcher': true, hideLauncher: false, speech: false });
    // @ts-expect-error A framework writes an object as text into an attribute whose property has another name.
    setProps({ 'team-hours': { timeZone: 'UTC', hours: {} } });
    // @ts-expect-error Some write `false` as text, too, which hides the launcher.
    setProps({ 'hide-launcher': false });
    // @ts-expect-error A flag is no text.
    setProps({ speech: 'yes' });
    // @ts-expect-error Nor is a list a number.
    setProps({ links: 5 });
  }
  setInSolid({ 'bool:open': true, 'bool:hide-launcher': true, 'bool:feedback': true, 'bool:speech': true });
  setInSolid({ 'prop:teamHours': { timeZone: 'UTC', hours: {} } });
  setInSolid({ 'bool:rating': true, 'bool:notify': true, 'attr:team-hours': '{}', 'attr:consent': '{}' });
  // @ts-expect-error An attribute with a text is no flag.
  setInSolid({ 'bool:heading': true });
  // @ts-expect-error The text of a flag has no meaning.
  setInSolid({ 'attr:speech': 'no' });
};

it('The types of templates allow JSON for lists and objects, and the flags', () => void templates);
