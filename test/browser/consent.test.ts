import { expect } from '@open-wc/testing';
import { mount, until, type Mounted } from '../support/pages/element.ts';
import { openStream, response, started, streamed } from '../support/fakes/fake-service.ts';

describe('Questions of several tools', () => {
  const ask = async (): Promise<{ chat: Mounted; ran: string[] }> => {
    const stream = openStream();
    const posted = Array.from({ length: 3 }, () => streamed(response()));
    const chat = await mount([stream.reply, ...posted]);
    const ran: string[] = [];
    for (const name of ['show_map', 'cancel_order', 'send_mail'])
      chat.element.registerTool({ name, confirm: () => `${name}?`, run: () => void ran.push(name) });
    void chat.element.send('Hi');
    for (const [index, name] of ['show_map', 'cancel_order', 'send_mail'].entries())
      stream.write('client_tool', { call_id: `c${index}`, name, arguments: { number: index }, ...started() });
    await until(() => chat.findAll('.tool-prompt').length === 3);
    return { chat, ran };
  };

  const questions = ({ findAll }: Mounted) => findAll('.tool-prompt').map((prompt) => prompt.ariaLabel);
  const allow = ({ findAll }: Mounted, index: number) => findAll('.tool-prompt')[index]!.querySelector('button')!;

  it('counts one decision for a double click, and moves no question into the place of another one', async () => {
    const { chat, ran } = await ask();
    const before = chat.findAll('.tool-prompt');
    expect(questions(chat)).to.deep.equal(['show_map?', 'cancel_order?', 'send_mail?']);
    // A click counts when the visitor has had time to read the question.
    await until(() => {
      if (chat.findAll('.tool-prompt').length === 3) allow(chat, 0).click();
      return ran.length > 0;
    });
    await until(() => chat.findAll('.tool-prompt').length === 2);
    expect(chat.findAll('.tool-prompt')).to.deep.equal(before.slice(1));
    for (const index of [0, 1]) allow(chat, index).click();
    await chat.element.updateComplete;
    expect(questions(chat)).to.deep.equal(['cancel_order?', 'send_mail?']);
    expect(ran).to.deep.equal(['show_map']);
    await until(() => {
      if (chat.findAll('.tool-prompt').length === 2) allow(chat, 1).click();
      return ran.length > 1;
    });
    await until(() => chat.findAll('.tool-prompt').length === 1);
    expect(ran).to.deep.equal(['show_map', 'send_mail']);
    expect(questions(chat)).to.deep.equal(['cancel_order?']);
  });

  it('are each described by the arguments that the tool would get', async () => {
    const { chat } = await ask();
    const details = chat.findAll('.tool-prompt').map((prompt) => {
      const id = prompt.getAttribute('aria-describedby')!;
      return (prompt.getRootNode() as ShadowRoot).getElementById(id)?.textContent.replaceAll(/\s+/g, ' ').trim();
    });
    expect(details).to.deep.equal(['number 0', 'number 1', 'number 2']);
  });
});
