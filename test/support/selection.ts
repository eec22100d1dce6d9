/** Selects test files by what was typed after `npm test --`. */
import { relative, sep } from 'node:path';

/**
 * Whether one of `paths` selects a test file: an absolute path, or a part of its path, such as a folder or a name.
 * @param file The path from the root of the repository.
 */
export const isSelected = (file: string, paths: readonly string[], root: string): boolean => {
  const withSlashes = (path: string) => path.replaceAll(sep, '/');
  return paths.some((path) => {
    const isAbsolute = path.startsWith(root);
    return withSlashes(file).includes(withSlashes(isAbsolute ? relative(root, path) : path.replace(/^\.[/\\]/, '')));
  });
};
