/** What the image of the service contains, from its Dockerfile, the files beside it, and the lock of the packages. Docker is not needed. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative } from 'node:path';
import { DockerfileParser, type Copy } from 'dockerfile-ast';
import { rolldown } from 'rolldown';

interface LockedPackage {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Returns the paths that the last stage copies from the stage before, or from the folder of the build. */
const copiedPaths = (dockerfile: string, isFromStage: boolean): string[] => {
  const instructions = DockerfileParser.parse(dockerfile).getInstructions();
  const start = instructions.findLastIndex((each) => each.getKeyword() === 'FROM');
  return instructions
    .slice(start)
    .filter((each): each is Copy => each.getKeyword() === 'COPY')
    .filter((copy) => copy.getFlags().some((flag) => flag.getName() === 'from') === isFromStage)
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((argument) => posix.relative('/app', posix.resolve('/app', argument.getValue())));
};

const isBelow = (path: string, folders: string[]): boolean =>
  folders.some((folder) => folder === '' || path === folder || path.startsWith(`${folder}/`));

/** Returns where Node.js finds a package from a folder. The lock names the places of all packages. */
const locate = (locked: Record<string, LockedPackage>, name: string, from: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = posix.join(folder, 'node_modules', name);
    if (place in locked) return place;
    if (folder === '.') return undefined;
  }
};

/** Returns the places of the packages that `npm ci --workspace … --omit=dev` installs. */
const installedPackages = (locked: Record<string, LockedPackage>, workspace: string): Set<string> => {
  const places = new Set<string>();
  const visit = (from: string): void => {
    const { dependencies, optionalDependencies } = locked[from]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = locate(locked, name, from);
      if (place === undefined || places.has(place)) continue;
      places.add(place);
      visit(place);
    }
  };
  visit(workspace);
  return places;
};

/** Returns the files of a path in the folder of the build, without those that the build ignores. */
const filesOf = (root: string, path: string, ignored: string[]): string[] => {
  if (ignored.some((line) => line === path || line === `**/${posix.basename(path)}`)) return [];
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesOf(root, posix.join(path, name), ignored));
};

const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

interface Import {
  file: string;
  specifier: string;
}

/** Returns the imports that are left when the types are removed. */
const importsOf = async (root: string, files: string[]): Promise<Import[]> => {
  const found: Import[] = [];
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(files.map((file) => [file, `./${file}`])),
    platform: 'node',
    // Without an importer it is one of the files themselves.
    external: (specifier, importer) => {
      if (importer === undefined) return false;
      found.push({ file: relative(root, importer), specifier });
      return true;
    },
  });
  await bundle.generate();
  await bundle.close();
  return found;
};

/** Returns a line for each import that fails in the image, and for each installed package that is not copied. */
export const problemsOfImage = async (root: string): Promise<string[]> => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const dockerfile = read('service/Dockerfile');
  const ignored = read('service/Dockerfile.dockerignore').split('\n');
  const [, workspace] = /npm ci --workspace (\S+) --omit=dev/.exec(dockerfile)!;
  const { packages: locked } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const installed = installedPackages(locked, workspace!);
  const copied = copiedPaths(dockerfile, true);
  const files = copiedPaths(dockerfile, false).flatMap((path) => filesOf(root, path, ignored));

  const problemOf = ({ file, specifier }: Import): string[] => {
    if (isBuiltin(specifier)) return [];
    if (specifier.startsWith('.')) {
      const target = posix.join(dirname(file), specifier);
      return files.includes(target) ? [] : [`${file} imports ${target}, which is not copied`];
    }
    const place = locate(locked, packageName(specifier), dirname(file));
    return place !== undefined && installed.has(place) ? [] : [`${file} imports ${specifier}, which is not installed`];
  };

  const scripts = files.filter((file) => /\.m?[jt]s$/.test(file));
  const notCopied = [...installed].filter((place) => !isBelow(place, copied)).map((place) => `${place} is not copied`);
  return [...notCopied, ...(await importsOf(root, scripts)).flatMap(problemOf)];
};
