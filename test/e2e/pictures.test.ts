import { launchOptions } from '../support/browsers/chromium.ts';
import { expect } from '../support/fixtures.ts';
import { it, panelOf, picture, testPictures } from '../support/pages/pictures.ts';

// The headless shell renders some pixels differently.
it.use({ launchOptions: launchOptions('--disable-lcd-text') });

testPictures(['light', 'arabic']);

it('a missing button makes the comparison with the picture fail', async ({ openElement }, { config }) => {
  it.skip(
    config.updateSnapshots === 'all' || config.updateSnapshots === 'changed',
    'This comparison would replace the picture.',
  );
  const widget = await openElement();
  await widget.open();
  const hidden = widget.page.locator('workspace-chat [aria-haspopup=menu]');
  await hidden.evaluate((button: HTMLElement) => {
    button.style.visibility = 'hidden';
  });
  await expect(
    expect(panelOf(widget)).toHaveScreenshot('panel-empty-light.png', { ...picture, timeout: 5_000 }),
  ).rejects.toThrow(/pixels .* are different/);
});
