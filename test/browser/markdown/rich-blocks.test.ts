import { expect, waitUntil } from '@open-wc/testing';
import { container, createView } from './mounted-view.ts';

const tags = (): string[] => [...container.children].map(({ localName }) => localName);

describe('The code of code blocks and tables', () => {
  afterEach(() => container.remove());

  // The only test of this file: the code is loaded once in a page.
  it('is loaded with the first of them, which are plain text until then, also in a reply that is streaming', async () => {
    const table = '| Size | Price |\n|---|--:|\n| *S* | 4 |';
    const view = createView();
    view.update(`Before\n\n${table}\n\n\`\`\`js\nfirst\nsec`);
    expect(tags()).to.deep.equal(['p', 'pre', 'pre']);
    expect([...container.querySelectorAll('pre')].map(({ textContent }) => textContent)).to.deep.equal([
      'Size | Price\n*S* | 4',
      'first\nsec\n',
    ]);

    await waitUntil(() => container.querySelector('.md-code'), 'the code block', { timeout: 20_000 });
    expect(tags()).to.deep.equal(['p', 'div', 'div']);
    expect(container.querySelector('.md-table td em')!.textContent).to.equal('S');
    expect(container.querySelector('.md-code code')!.textContent).to.equal('first\nsec');

    view.update(`Before\n\n${table}\n\n\`\`\`js\nfirst\nsecond\n\`\`\`\n\nAfter`, true);
    expect(tags()).to.deep.equal(['p', 'div', 'div', 'p']);
    expect(container.querySelector('.md-code code')!.textContent).to.equal('first\nsecond');
  });
});
