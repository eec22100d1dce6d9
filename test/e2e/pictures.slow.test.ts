import { testPictures } from '../support/pages/pictures.ts';

testPictures(['dark', 'narrow']);
