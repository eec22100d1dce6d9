import { expect } from '@open-wc/testing';
import { DraftBox, emptyDrafts, openBrowserDrafts } from '../../src/chat/storage/tab-drafts.ts';

describe('The drafts of a tab', () => {
  const open = () => new DraftBox(openBrowserDrafts('key of this test'), 0);
  const save = (box: DraftBox, text: string) => box.save(0, [[null, { ...emptyDrafts, text }]]);

  afterEach(() => sessionStorage.clear());

  it('are those of each chat of the page', () => {
    const [one, other] = [open(), open()];
    save(one, 'One');
    save(other, 'Other');
    for (const box of [one, other]) box.close();
    const [next, second] = [open(), open()];
    expect(next.restore(null).text).to.equal('One');
    expect(second.restore(null).text).to.equal('Other');
    for (const box of [next, second]) box.close();
  });

  it('belong to the chat that replaces another one, whatever the other one still writes', () => {
    const former = open();
    save(former, 'Typed before');
    former.close();
    const next = open();
    save(former, 'Too late');
    former.clear();
    save(next, 'Typed now');
    next.close();
    const later = open();
    expect(later.restore(null).text).to.equal('Typed before\n\nTyped now');
    later.close();
  });

  it('that a second chat of the page has left belong to a later chat that has none', () => {
    const [one, other] = [open(), open()];
    save(other, 'Other');
    for (const box of [one, other]) box.close();
    const next = open();
    expect(next.restore(null).text).to.equal('Other');
    next.close();
    expect(sessionStorage.length).to.equal(1);
  });

  it('that a second chat of the page has left are erased with those of the first', () => {
    const [one, other] = [open(), open()];
    save(one, 'One');
    save(other, 'Other');
    for (const box of [one, other]) box.close();
    const next = open();
    next.clear();
    next.close();
    expect(sessionStorage.length).to.equal(0);
  });

  it('of a chat that is open stay when another one is cleared', () => {
    const [one, other] = [open(), open()];
    save(other, 'Other');
    one.clear();
    for (const box of [one, other]) box.close();
    expect(sessionStorage.length).to.equal(1);
  });
});
