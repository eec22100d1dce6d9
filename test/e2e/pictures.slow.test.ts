import { launchOptions } from '../support/browsers/chromium.ts';
import { it, testPictures } from '../support/pages/pictures.ts';

// The headless shell renders some pixels differently.
it.use({ launchOptions: launchOptions('--disable-lcd-text') });

testPictures(['dark', 'narrow']);
