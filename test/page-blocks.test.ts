import type { Command } from 'commander';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { resourceFileShape, workspaceFileShape } from '../src/workspace/schema.ts';
import { createProgram } from '../src/cli/program.ts';
import { INDEX } from '../src/commands/index.ts';
import { documentationPages, inlineCode, projectPages, readPage, withoutFences } from './pages.ts';
import { aScene } from './helpers/scene.ts';
import { loadPatternEngine } from '../src/policy/banned-words.ts';

/**
 * What is in the pages and cannot simply be run. Blocks of the kinds `sh` and `sh server` are run by pages.test.ts;
 * every other kind has its check here, and an unknown kind is an error.
 */
const PAGES = [...documentationPages(), ...projectPages()];
const RUN = ['sh', 'sh server'];
const JOBS = 'docs/guides/ci';
/** Flags with a value that may come before the command. */
const TAKES_NEXT = /^(?:-C|--chdir|--format|--api-key-file)$/;

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
};

/** Packs this package, or installs its checkout or its packed file. test/process/installed.test.ts does so. */
function expectInstall(command: string): void {
  const packed = `./${manifest.name}-${manifest.version}.tgz`;
  expect([
    'npm ci',
    'npm pack',
    'npm install --global .',
    `npm install --global ${packed}`,
    `npm install --save-dev ${packed}`,
  ]).toContain(command);
}

/** What each kind of block has to stand up to. */
const CHECKS: Readonly<Record<string, (text: string) => void | Promise<void>>> = {
  // Commands of this repository, which a test cannot run: the scripts exist.
  'sh repository': (text) => {
    for (const command of commandsOf(text)) {
      const script = /^npm (?:run )?(?<script>[\w:-]+)(?: |$)/.exec(command)?.groups?.['script'] ?? command;
      if (script !== 'ci') expect(Object.keys(manifest.scripts)).toContain(script);
    }
  },
  // Needs the registry: it installs this package and no other.
  'sh install': (text) => {
    for (const command of commandsOf(text)) expectInstall(command);
  },
  // Needs a key, a shell or a service of one's own: the commands and their flags exist.
  'sh example': async (text) => {
    for (const command of commandsOf(text)) {
      expect(command).toMatch(/\bherald /);
      await expectKnown(command.slice(command.search(/(?<![^\s(])herald /)));
    }
  },
  yaml: async (text) => {
    const document = parse(text, { merge: true }) as Record<string, unknown>;
    if ('messages' in document) expectShape(resourceFileShape, { campaigns: [aCampaign(document)] });
    else if ('campaigns' in document || 'broadcasts' in document || Array.isArray(document['accounts']))
      expectShape(resourceFileShape, document);
    else expectShape(workspaceFileShape, { version: 1, ...document });
  },
  ts: async (text) => {
    const library = Object.keys(await import('../src/index.ts'));
    const imports = [...text.matchAll(/import \{([^}]*)\} from 'herald-campaigns'/g)];
    expect(imports.length).toBeGreaterThan(0);
    for (const [, names = ''] of imports)
      for (const name of names.split(',')) expect(library).toContain(name.trim());
  },
  json: (text) => {
    JSON.parse(text);
  },
  // Rights that a database administrator gives.
  sql: () => {},
  // Output, pictures of data, and trees of folders.
  text: () => {},
};

describe('the blocks of the pages', () => {
  beforeAll(loadPatternEngine);

  it('are all of a kind that is run or checked', async () => {
    const fences = PAGES.flatMap((page) => page.fences.map((fence) => ({ path: page.path, ...fence })));
    for (const { path, kind, line, text } of fences) {
      if (RUN.includes(kind)) continue;
      // What test/process/extending.test.ts adds to a copy of the sources.
      if (/^(?:ts|diff) src\//.test(kind)) continue;
      const check = CHECKS[kind];
      if (check === undefined) throw new Error(`${path}:${line}: a block of the kind "${kind}" has no check`);
      try {
        await check(text);
      } catch (error) {
        throw new Error(`${path}:${line}: ${(error as Error).message}`, { cause: error });
      }
    }
  });

  it('and commands within sentences exist, with their flags', async () => {
    const code = PAGES.flatMap(({ text }) => inlineCode(text));
    const commands = code.filter((one) => /^herald [a-z-]/.test(one));
    expect(commands.length).toBeGreaterThan(50);
    for (const command of commands) await expectKnown(command);
  });
});

it.each(readdirSync(JOBS))(
  'the jobs that ci init writes run commands that exist, with their flags: %s',
  async (file) => {
    const text = readFileSync(join(JOBS, file), 'utf8');
    const commands = [...text.matchAll(/npx --no-install herald-campaigns ([^\n]*)/g)].map(
      ([, rest = '']) => rest,
    );
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) await expectKnown(`herald ${command}`);
  },
);

describe('the links of the pages', () => {
  it('lead to a file and a heading that exist', () => {
    const dead = PAGES.flatMap(({ path, text }) => linksOf(text).flatMap((link) => deadLink(path, link)));
    expect(dead).toEqual([]);
  });

  it('lead from the README to every page', () => {
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const isPage = path.endsWith('.md') && existsSync(path);
      for (const link of isPage ? linksOf(readPage(path).text) : []) reached.add(targetOf(path, link));
    }
    // A link to a folder leads to the pages in it.
    const isReached = (path: string): boolean => reached.has(path) || reached.has(dirname(path));
    expect(PAGES.map(({ path }) => path).filter((path) => !isReached(path))).toEqual([]);
  });
});

function commandsOf(text: string): readonly string[] {
  return text
    .split(/\n|&&/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function expectShape(
  shape: { safeParse: (value: unknown) => { success: boolean; error?: { message: string } } },
  value: unknown,
): void {
  const result = shape.safeParse(value);
  expect(result.success, result.error?.message).toBe(true);
}

function aCampaign(rest: object): object {
  return { name: 'Any', trigger: 'welcome_message', action: 'send_message', ...rest };
}

const tree = commandTree();

/** The commands as the program declares them, without running it. */
async function commandTree() {
  const program = await createProgram(INDEX);
  const { stdout } = await aScene().herald('--help');
  const options = /Options:\n([\s\S]*?)\n\n/.exec(stdout)?.[1] ?? '';
  return { program, everywhere: new Set(options.match(/(?<=[ ,])--?[a-zA-Z][a-z-]*/g)) };
}

/** `herald campaigns pause|archive ID --yes`: each command is there, and each has each flag. */
async function expectKnown(line: string): Promise<void> {
  const { program, everywhere } = await tree;
  const words = line
    .replace(/\s#.*$/, '')
    .split(/\s+/)
    .slice(1);
  let commands: readonly Command[] = [program];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1] ?? '';
    if (word === '' || word.startsWith('-') || TAKES_NEXT.test(before) || isWithValue(commands, before))
      continue;
    const found = word
      .split('|')
      .map((name) =>
        commands.flatMap((command) => command.commands).find((command) => command.name() === name),
      );
    if (found.every((command) => command !== undefined)) commands = found;
    else if (commands.every(needsCommand)) throw new Error(`${line}: unknown command "${word}"`);
    else break;
  }
  for (const flag of line.match(/(?<=\s|\[)--?[a-zA-Z][a-z-]*/g) ?? [])
    for (const command of commands)
      if (!everywhere.has(flag) && !command.options.some(({ long, short }) => [long, short].includes(flag)))
        throw new Error(`${line}: unknown flag ${flag}`);
}

/** Whether the next word is the value of this flag. */
function isWithValue(commands: readonly Command[], flag: string): boolean {
  return commands.some(({ options }) =>
    options.some(({ long, short, required }) => required && [long, short].includes(flag)),
  );
}

/** Whether the next word has to be a command and cannot be an argument. A command with flags works alone, too. */
function needsCommand({ parent, commands, registeredArguments, options }: Command): boolean {
  const actsAlone = parent !== null && options.length > 0;
  return commands.length > 0 && registeredArguments.length === 0 && !actsAlone;
}

function linksOf(text: string): readonly string[] {
  const inline = [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)];
  return inline.map((match) => match[1] ?? '').filter((link) => !/^[a-z]+:/.test(link));
}

function targetOf(page: string, link: string): string {
  const file = link.split('#')[0] ?? '';
  return file === '' ? page : normalize(join(dirname(page), file));
}

function deadLink(page: string, link: string): readonly string[] {
  const target = targetOf(page, link);
  if (!existsSync(target)) return [`${page}: ${link}: ${target} does not exist`];
  const anchor = link.split('#')[1];
  if (anchor === undefined) return [];
  if (statSync(target).isDirectory()) return [`${page}: ${link}: a folder has no headings`];
  return anchorsOf(readPage(target).text).has(anchor)
    ? []
    : [`${page}: ${link}: no heading of ${target} has this anchor`];
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replace(/ /g, '-'),
    ),
  );
}
