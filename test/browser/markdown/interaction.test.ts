import { expect } from '@open-wc/testing';
import { labels, container, createView, render, frames, useMarkdownView } from './mounted-view.ts';

useMarkdownView();

describe('A code block', () => {
  it('shows as many lines as the code has', () => {
    const line = 'x'.repeat(99);
    render(`\`\`\`\n${`${line}\n`.repeat(40)}\`\`\``);
    const { fontSize } = getComputedStyle(container.querySelector('code')!);
    const height = container.querySelector('code')!.getBoundingClientRect().height;
    container.remove();
    render(`\`\`\`\n${`${line}\n`.repeat(20)}\`\`\``);
    expect(getComputedStyle(container.querySelector('code')!).fontSize).to.equal(fontSize);
    expect(height).to.be.closeTo(2 * container.querySelector('code')!.getBoundingClientRect().height, 1);
  });

  it('copies its text and confirms it', async () => {
    const copied: string[] = [];
    const { clipboard } = navigator;
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    try {
      const view = createView();
      view.update('```js\nconst a = "<b>";\n\nsend(a);\n```\n', true);
      const button = container.querySelector<HTMLButtonElement>('.md-copy')!;
      expect(button.textContent).to.equal('Copy');
      button.click();
      await frames();
      expect(copied).to.deep.equal(['const a = "<b>";\n\nsend(a);']);
      expect(button.textContent).to.equal('Copied');
      view.setLabels({ ...labels, code: { ...labels.code, copied: 'نُسخ' } });
      expect(button.textContent).to.equal('نُسخ');
    } finally {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    }
  });

  it('copies its text in the older way where the clipboard is blocked, or else selects it and says so', async () => {
    const { clipboard } = navigator;
    const { execCommand } = document;
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')) },
    });
    try {
      createView().update('    a\n    b\n', true);
      const button = container.querySelector<HTMLButtonElement>('.md-copy')!;
      const events: unknown[] = [];
      container.addEventListener('attention', (event) => events.push((event as CustomEvent).detail));
      const commands: [command: string, selection: string][] = [];
      for (const [isAllowed, label] of [
        [true, 'Copied'],
        [false, 'Failed: Copy'],
      ] as const) {
        document.execCommand = (command) => {
          commands.push([command, String(getSelection()).trim()]);
          return isAllowed;
        };
        for (const name of ['data-copied', 'data-failed']) button.removeAttribute(name);
        getSelection()!.removeAllRanges();
        button.click();
        await frames();
        expect(button.textContent).to.equal(label);
        expect(String(getSelection()).trim()).to.equal('a\nb');
      }
      expect(commands).to.deep.equal([
        ['copy', 'a\nb'],
        ['copy', 'a\nb'],
      ]);
      expect(events).to.deep.equal(['text-copied', 'text-failed']);
    } finally {
      document.execCommand = execCommand;
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    }
  });
});

describe('Content that is too wide', () => {
  it('scrolls in a focusable region with a name in the current language', async () => {
    const view = createView();
    // The bubble's padding, into which a table reaches.
    container.style.cssText = 'inline-size: 200px; padding-inline: 0.9em';
    view.update(`\`\`\`js\n${'wide '.repeat(50)}\n\`\`\`\n\n| ${'column | '.repeat(12)}\n|${'--|'.repeat(12)}\n`, true);
    await frames();
    const [code, table] = container.querySelectorAll<HTMLElement>('[role=region]');
    expect([code!.tabIndex, code!.ariaLabel]).to.deep.equal([0, 'Code in js']);
    expect(table!.tabIndex).to.equal(0);
    expect(table!.ariaLabel).to.match(/^column, column/);
    expect(container.scrollWidth).to.equal(container.clientWidth);
    view.setLabels({ ...labels, code: { ...labels.code, code: (language) => `شيفرة ${language}` } });
    expect(code!.ariaLabel).to.equal('شيفرة js');
  });

  it('is a region only while it overflows', async () => {
    createView().update('```\nshort\n```\n\n| a |\n|--|\n| b |\n', true);
    await frames();
    expect(container.querySelector('[role], [tabindex]')).to.equal(null);
  });
});
