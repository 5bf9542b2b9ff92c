import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Each file of `src` with its text, in the order of their names. */
const TEXTS: ReadonlyMap<string, string> = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .toSorted()
    .map((path) => [path, readFileSync(join('src', path), 'utf8')]),
);

/** What commands and their frame may import. */
const OF_COMMANDS: readonly string[] = `domain policy workspace api live state plan engine render page acts
  import events provider library ci simulator host version.ts`.split(/\s+/);

/**
 * What each folder of `src` may import, as docs/architecture.md shows it. An entry such as `api/row` opens one file
 * or one folder of a layer. A file at the top of `src` is a layer of its own.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  policy: ['domain'],
  workspace: ['domain', 'policy'],
  plan: ['domain', 'policy', 'state/shapes'],
  // The words for what an apply came to.
  render: ['domain', 'api/errors', 'engine/reasons', 'engine/run'],
  page: ['domain', 'render', 'policy/rules', 'plan/facts'],
  api: ['domain'],
  live: ['domain', 'api'],
  events: ['domain', 'api', 'live', 'state'],
  import: ['domain', 'workspace', 'live', 'plan', 'engine', 'state'],
  acts: ['domain', 'api', 'live', 'state', 'engine/send', 'engine/run', 'engine/reasons'],
  engine: ['domain', 'api', 'live', 'state', 'plan'],
  library:
    `domain workspace api live state plan engine acts events page/document render/results simulator host`.split(
      ' ',
    ),
  ci: [
    'domain',
    'policy',
    'workspace',
    'plan',
    'render',
    'provider',
    'library',
    'api/transport',
    'version.ts',
  ],
  simulator: ['domain', 'api/catalogue', 'api/columns', 'api/row'],
  host: ['domain'],
  state: ['domain', 'host/confined'],
  provider: ['domain'],
  cli: OF_COMMANDS,
  commands: ['cli', ...OF_COMMANDS],
  'main.ts': ['host/host', 'commands/index', 'version.ts'],
  'cli.ts': ['domain/file-problem', 'host/host', 'main.ts'],
  'version.ts': [],
  'index.ts': ['domain', 'api', 'live', 'plan', 'engine', 'render', 'page', 'library', 'host', 'simulator'],
};

/** It counts the time left in the browser of a reader. */
const IN_BROWSER = 'page/browser/main.ts';

/** What only certain files may touch, and why it matters. */
const GUARDED = [
  { what: 'undici', pattern: /from 'undici'/, only: ['api/transport.ts'] },
  { what: 'other programs', pattern: /'node:child_process'/, only: ['host/git.ts'] },
  { what: 'the process', pattern: /(?<![\w.'-])process\.|(?<![\w.'])process\)/, only: ['cli.ts'] },
  {
    what: 'files',
    pattern: /from 'node:fs/,
    only: ['host/confined.ts', 'host/files.ts', 'host/git-remotes.ts', 'host/links.ts', 'state/sqlite.ts'],
  },
  {
    what: 'the word that a text is visible, which nothing checks',
    pattern: /\bassumeVisible\(|\bas Visible\b/,
    only: [
      'domain/visible.ts',
      // HTML is not a terminal; `Text` shows what could disguise a text.
      'page/differences.tsx',
      'render/difference.ts',
      'render/json.ts',
      'render/plan-markdown.ts',
      'render/spans.ts',
      'render/table.ts',
    ],
  },
  {
    what: 'timers',
    pattern: /from 'node:timers|\bsetTimeout\(|\bsetInterval\(/,
    only: ['host/clock.ts', IN_BROWSER],
  },
  {
    what: 'the clock',
    pattern: /\bDate\.now\(|\bperformance\.now\(|new Date\(\)/,
    only: ['host/clock.ts', IN_BROWSER],
  },
  { what: 'chance', pattern: /\bMath\.random\b/, only: ['library/ports.ts'] },
  // A reply carries any text: `domain/status.ts` reads it. The simulator has rules of its own on purpose.
  {
    what: 'a status as text',
    pattern: /\.status\)? (?:===|!==) '|includes\([^()]*(?<!problem)\.status\b/,
    only: sourceFiles().filter((file) => layerOf(file) === 'simulator'),
  },
  // `{ z }` drags every locale of zod into the command line; `* as z` lets the bundler leave out what no one uses.
  { what: 'the whole of zod', pattern: /^import \{[^}]*\bz\b[^}]*\} from 'zod'/m, only: [] },
  {
    what: 'a promise in the pure middle',
    pattern: /\basync\b|\bawait\b|\bPromise\b/,
    // A rule may have a large engine that is loaded only where the file names the rule.
    only: [...notIn('policy', 'plan', 'render'), 'policy/banned-words.ts'],
  },
];

function notIn(...layers: readonly string[]): readonly string[] {
  return sourceFiles().filter((file) => !layers.includes(layerOf(file)));
}

describe('the layers of src', () => {
  it.each([...new Set(sourceFiles().map(layerOf))])('%s imports only what it may', (layer) => {
    const allowed = MAY_IMPORT[layer];
    expect(allowed, `${layer} is not a known layer`).toBeDefined();
    const broken = sourceFiles()
      .filter((file) => layerOf(file) === layer)
      .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
      .filter(({ target }) => layerOf(target) !== layer && !isOpen(target, allowed ?? []));
    expect(broken, `${layer} may import: ${(allowed ?? []).join(', ')}`).toEqual([]);
  });

  it.each(GUARDED)('only the files that are meant to touch $what', ({ pattern, only }) => {
    const touching = sourceFiles().filter((file) => pattern.test(withoutComments(file)));
    expect(touching.filter((file) => !only.includes(file))).toEqual([]);
  });

  it('are in docs/architecture.md with what each may import', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');
    const table = page.slice(page.indexOf('| folder'), page.indexOf('## Boundaries'));
    const rows = [...table.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)]
      .slice(1)
      .flatMap(([, layers = '', may = '']) =>
        layers.split(', ').map((layer) => [layer, may === '–' ? [] : may.split(', ').toSorted()] as const),
      );
    const folders = Object.entries(MAY_IMPORT).filter(([layer]) => !layer.endsWith('.ts'));
    const said = folders.map(([layer, may]) => [layer, may.filter((one) => !one.endsWith('.ts')).toSorted()]);
    expect(Object.fromEntries(rows.filter(([layer]) => !layer.startsWith('-')))).toEqual(
      Object.fromEntries(said),
    );
  });

  it('has no cycle between layers, not even of types', () => {
    const next = (layer: string) => [
      ...new Set(
        sourceFiles()
          .filter((file) => layerOf(file) === layer)
          .flatMap(importsOf)
          .map(layerOf)
          .filter((other) => other !== layer),
      ),
    ];
    expect(findCycle(Object.keys(MAY_IMPORT), next)).toBeNull();
  });

  it('has no cycle between files, not even of types', () => {
    // Lazy ones do not count.
    const atHead = (file: string) => listImports(file, /^(?:import|export) [^;]*?from '(\.[^'?]+)'/gm);
    expect(findCycle(sourceFiles(), atHead)).toBeNull();
  });

  it('has no file over 500 lines, and no layer with over 18 % of them', () => {
    const long = sourceFiles().filter((file) => linesOf(file) > FILE_LINES_MAX);
    expect(long).toEqual([]);
    const total = sourceFiles().reduce((sum, file) => sum + linesOf(file), 0);
    const large = Object.keys(MAY_IMPORT).filter((layer) => {
      const own = sourceFiles().filter((file) => layerOf(file) === layer);
      return own.reduce((sum, file) => sum + linesOf(file), 0) > total * LAYER_SHARE_MAX;
    });
    expect(large).toEqual([]);
  });

  // Each file that is loaded costs start-up time. Types cost nothing.
  it('validate loads neither the client nor the state', () => {
    const reached = new Set(['commands/validate.ts']);
    // A set also goes over what is added meanwhile.
    for (const file of reached)
      for (const target of listImports(file, /^(?:import|export) (?!type )[^;]*?from '(\.[^'?]+)'/gm))
        reached.add(target);
    expect([...reached].filter((file) => /^(?:api|engine|live|plan|state)\//.test(file))).toEqual([]);
  });

  it('has no barrel but the library entry', () => {
    const barrels = sourceFiles().filter((file) => /^export (\*|\{[^}]*\}) from/m.test(textOf(file)));
    expect(barrels).toEqual(['index.ts']);
  });

  it('has each command in the file of its path or of its group; those that are made from a row share a file', () => {
    const entries = withoutComments('commands/index.ts').matchAll(
      /path: '([^']+)', load: async \(\) => \(await import\('\.\/(.+?)\.ts'\)\)/g,
    );
    const named = [...entries].map(([, path = '', file = '']) => [path.replaceAll(' ', '/'), file] as const);
    const shared = ['index', 'lists', 'get', 'by-hand', 'plan'];
    const isOdd = ([path, file]: (typeof named)[number]) =>
      !shared.includes(file) && path !== file && !path.startsWith(`${file}/`);
    expect(named.filter(isOdd)).toEqual([]);
    const files = sourceFiles().filter((file) => layerOf(file) === 'commands');
    const expected = [...new Set([...named.map(([, file]) => file), ...shared])];
    expect(files.toSorted()).toEqual(expected.map((path) => `commands/${path}.ts`).toSorted());
  });
});

const FILE_LINES_MAX = 500;
const LAYER_SHARE_MAX = 0.18;

function linesOf(file: string): number {
  return textOf(file).split('\n').length - 1;
}

function isOpen(target: string, allowed: readonly string[]): boolean {
  return allowed.some(
    (entry) => target === entry || target === `${entry}.ts` || target.startsWith(`${entry}/`),
  );
}

/** `plan/build.ts` is in the layer `plan`; `main.ts` is a layer of its own. */
function layerOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function sourceFiles(): string[] {
  return [...TEXTS.keys()];
}

function textOf(file: string): string {
  const text = TEXTS.get(file);
  if (text === undefined) throw new Error(`src/${file} is imported, and does not exist.`);
  return text;
}

/** The code of each file, which many rules read. */
const CODE: ReadonlyMap<string, string> = new Map(
  [...TEXTS].map(([file, text]) => [
    file,
    text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^[ \t]*\/\/.*$/gm, ''),
  ]),
);

function withoutComments(file: string): string {
  return CODE.get(file) ?? textOf(file);
}

/** Imports of the project's own files that the pattern finds, as paths below src. */
function listImports(file: string, pattern: RegExp): string[] {
  return [...withoutComments(file).matchAll(pattern)].map(([, path = '']) =>
    relative(resolve('src'), resolve('src', dirname(file), path)).replaceAll('\\', '/'),
  );
}

/** Static and lazy ones. */
function importsOf(file: string): string[] {
  return listImports(file, /(?:from|import\()\s*'(\.[^'?]+\.tsx?)(?:\?page)?'/g);
}

/** The first circle that is found, from its beginning to its beginning. */
function findCycle(
  all: readonly string[],
  nextOf: (one: string) => readonly string[],
): readonly string[] | null {
  const settled = new Set<string>();
  const visit = (one: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(one)) return [...path.slice(path.indexOf(one)), one];
    if (settled.has(one)) return null;
    for (const target of nextOf(one)) {
      const cycle = visit(target, [...path, one]);
      if (cycle !== null) return cycle;
    }
    settled.add(one);
    return null;
  };
  for (const one of all) {
    const cycle = visit(one, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
