import { expect } from '@open-wc/testing';
import { contrast } from '../support/pages/color-contrast.ts';
import { mount, until } from '../support/pages/element.ts';

/** Accents of all hues, from nearly black to nearly white. */
const accents = [
  ...[0.08, 0.3, 0.5, 0.62, 0.75, 0.95].flatMap((lightness) =>
    Array.from({ length: 12 }, (_, hue) => `oklch(${lightness} 0.2 ${hue * 30})`),
  ),
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#ffff00',
  '#00ffff',
  '#ff00ff',
  '#000000',
  '#ffffff',
  '#808080',
];

const pairs = [
  ['--_on-accent', '--_accent', 4.5],
  ['--_on-visitor-bubble', '--_visitor-bubble', 4.5],
  ['--_on-agent-bubble', '--_agent-bubble', 4.5],
  ['--_accent-text', '--_surface', 4.5],
  ['--_accent-text', '--_agent-bubble', 4.5],
  ['--_muted', '--_surface', 4.5],
  ['--_muted', '--_surface-raised', 4.5],
  ['--_danger', '--_surface', 4.5],
  ['--_success', '--_surface', 4.5],
  ['--_warning', '--_surface', 4.5],
  ['--_info', '--_surface', 4.5],
  ['--_on-header', '--_header', 4.5],
  ['--_outline', '--_surface', 3],
] as const;

/** Colors that are drawn on a background, with the border that is there when the background has nearly the same color. */
const ringed = [
  ['--_accent', '--_ring'],
  ['--_visitor-bubble', '--_bubble-ring'],
] as const;

/** Returns a function that resolves a custom property of the widget. */
const colorReader = (element: HTMLElement): ((name: string) => string) => {
  const probe = document.createElement('span');
  element.shadowRoot!.append(probe);
  return (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
};

describe('A theme with one accent', () => {
  for (const scheme of ['light', 'dark']) {
    it(`has a visible launcher, send button and visitor’s bubble for every accent in the ${scheme} scheme`, async () => {
      const { element } = await mount([], { 'color-scheme': scheme });
      const color = colorReader(element);
      const surface = color('--_surface');
      const failures = [...accents, '#f8f8f8', '#17181c', surface].flatMap((accent) => {
        element.style.setProperty('--workspace-chat-accent', accent);
        const inPanel = ringed.map(([fill, ring]) => [fill, ring, surface] as const);
        const pages = [surface, accent, '#fff', '#000'];
        const onPage = pages.map((page) => ['--_accent', '--_on-accent', page] as const);
        return [...inPanel, ...onPage].flatMap(([fill, ring, behind]) => {
          const ratio = Math.max(contrast(color(fill), behind), contrast(color(ring), behind));
          return ratio < 3 ? [`${accent}: ${fill} and ${ring} on ${behind} ${ratio.toFixed(2)}`] : [];
        });
      });
      expect(failures).to.deep.equal([]);
    });

    it(`has a border around the accent only where it is needed in the ${scheme} scheme`, async () => {
      const { element } = await mount([], { 'color-scheme': scheme });
      const color = colorReader(element);
      const needless = accents.flatMap((accent) => {
        element.style.setProperty('--workspace-chat-accent', accent);
        return ringed.flatMap(([fill, ring]) =>
          contrast(color(fill), color('--_surface')) > 6 && contrast(color(fill), color(ring)) > 1.05
            ? [`${accent}: ${ring}`]
            : [],
        );
      });
      expect(needless).to.deep.equal([]);
    });
  }

  for (const scheme of ['light', 'dark']) {
    it(`is readable for every accent in the ${scheme} scheme`, async () => {
      const { element } = await mount([], { 'color-scheme': scheme });
      const color = colorReader(element);
      const failures = accents.flatMap((accent) => {
        element.style.setProperty('--workspace-chat-accent', accent);
        return pairs.flatMap(([front, back, wanted]) => {
          const ratio = contrast(color(front), color(back));
          return ratio < wanted ? [`${accent}: ${front} on ${back} ${ratio.toFixed(2)}`] : [];
        });
      });
      expect(failures).to.deep.equal([]);
    });
  }
});

describe('Component properties', () => {
  it('recolor the header with its status and its icons', async () => {
    const { element, find } = await mount([], { mode: 'floating', open: '' });
    await until(() => find('.header'));
    element.style.setProperty('--workspace-chat-header', 'rgb(10, 60, 40)');
    element.style.setProperty('--workspace-chat-on-header', 'rgb(250, 240, 200)');
    expect(getComputedStyle(find('.header')).backgroundColor).to.equal('rgb(10, 60, 40)');
    for (const selector of ['h2', '.status', '.header .icon-button']) {
      expect(getComputedStyle(find(selector)).color, selector).to.equal('rgb(250, 240, 200)');
    }
  });

  it('set the corners of buttons, fields and the launcher', async () => {
    const { element, find } = await mount([], { mode: 'floating', open: '' });
    await until(() => find('.send'));
    for (const [name, value] of [
      ['button', '3px'],
      ['field', '5px'],
      ['launcher', '7px'],
    ])
      element.style.setProperty(`--workspace-chat-${name}-radius`, value!);
    const radius = (selector: string) => getComputedStyle(find(selector)).borderRadius;
    expect([radius('.send'), radius('.icon-button')]).to.deep.equal(['3px', '3px']);
    expect([radius('.field'), radius('.launcher')]).to.deep.equal(['5px', '7px']);
  });

  it('show an icon at each moment while the icon of the launcher changes', async () => {
    const { element, find, findAll } = await mount([], { mode: 'floating' });
    const launcher = await until(() => find('.launcher'));
    // The styles before the change, without which there is no transition.
    expect(getComputedStyle(launcher.querySelector('path')!).opacity).to.equal('1');
    for (const isOpen of [true, false]) {
      element.open = isOpen;
      await element.updateComplete;
      const paths = findAll('.launcher path');
      const animations = await until(() => {
        const found = paths.flatMap((path) => path.getAnimations());
        return found.length === 4 && found;
      });
      for (const animation of animations) animation.pause();
      const { duration } = animations[0]!.effect!.getComputedTiming();
      for (let step = 0; step <= 10; step++) {
        for (const animation of animations) animation.currentTime = (Number(duration) * step) / 10;
        const opacity = paths.map((path) => Number(getComputedStyle(path).opacity));
        expect(opacity[0]! + opacity[1]!, `step ${step}`).to.be.at.least(0.99);
      }
      for (const animation of animations) animation.finish();
    }
  });

  it('scale the duration of transitions, and switch them off', async () => {
    const { element, find } = await mount([], { mode: 'floating', open: '' });
    await until(() => find('.panel')?.matches(':popover-open'));
    const durations = () =>
      ['.launcher', '.panel'].map((selector) => getComputedStyle(find(selector)).transitionDuration.split(', ')[0]);
    /** Opens the panel again, and returns the duration of its animation in milliseconds. */
    const openingTime = async () => {
      element.open = false;
      await element.updateComplete;
      for (const animation of find('.panel').getAnimations()) animation.finish();
      // Until the panel is not displayed, WebKit keeps the animation of the last opening, and would not start it again.
      await until(() => !find('.panel').checkVisibility());
      element.open = true;
      await element.updateComplete;
      const [animation] = find('.panel')
        .getAnimations()
        .filter((each) => !(each instanceof CSSTransition));
      return animation?.effect?.getTiming().duration;
    };
    expect(durations()).to.deep.equal(['0.15s', '0.12s']);
    expect(await openingTime()).to.equal(180);
    element.style.setProperty('--workspace-chat-motion', '0.5');
    expect(durations()).to.deep.equal(['0.075s', '0.06s']);
    expect(await openingTime()).to.equal(90);
    element.style.setProperty('--workspace-chat-motion', '0');
    expect(durations()).to.deep.equal(['0s', '0s']);
    expect(await openingTime()).to.equal(undefined);
  });
});

describe('The label of the launcher', () => {
  it('is shown beside the icon while the chat is closed, and is its accessible name', async () => {
    const { element, find } = await mount([], { mode: 'floating', 'launcher-label': 'Need help?' });
    const launcher = await until(() => find<HTMLButtonElement>('.launcher'));
    expect(launcher.innerText.trim()).to.equal('Need help?');
    expect(launcher.getAttribute('aria-label')).to.equal('Need help?');
    const { width, height } = launcher.getBoundingClientRect();
    expect(width).to.be.greaterThan(height * 1.5);
    element.open = true;
    await until(() => launcher.getAttribute('aria-label') === 'Close chat');
    expect(launcher.innerText.trim()).to.equal('');
    expect(launcher.getBoundingClientRect().width).to.equal(launcher.getBoundingClientRect().height);
  });

  it('keeps the distance of the launcher to both edges of the page when it is long', async () => {
    const { find } = await mount([], {
      mode: 'floating',
      'launcher-label': 'Need any help with your order? '.repeat(20),
    });
    const { left, right } = (await until(() => find('.launcher'))).getBoundingClientRect();
    expect(left).to.be.closeTo(document.documentElement.clientWidth - right, 1);
  });
});

describe('A length of the theme', () => {
  const boxOf = async (style: string): Promise<number[]> => {
    const { element, find } = await mount([], { mode: 'floating', style });
    element.show();
    const panel = await until(() => find('.panel:popover-open'));
    await Promise.all(panel.getAnimations().map(({ finished }) => finished));
    const { width, height, right, bottom } = panel.getBoundingClientRect();
    element.remove();
    return [width, height, document.documentElement.clientWidth - right, innerHeight - bottom].map(Math.round);
  };

  it('may be a 0 without a unit', async () => {
    for (const name of ['offset-x', 'offset-y'])
      expect(await boxOf(`--workspace-chat-${name}: 0`), name).to.deep.equal(
        await boxOf(`--workspace-chat-${name}: 0px`),
      );
  });

  it('has its default when its value is not valid', async () => {
    const byDefault = await boxOf('');
    for (const name of ['offset-x', 'offset-y', 'launcher-size', 'width', 'height'])
      expect(await boxOf(`--workspace-chat-${name}: 12`), name).to.deep.equal(byDefault);
  });
});
