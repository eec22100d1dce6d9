/** The validator for the schemas of the page's tools, in a file of its own: a build of one script inlines only files. */
export { Validator } from '@cfworker/json-schema';
