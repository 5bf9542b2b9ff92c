import { readFile } from 'node:fs/promises';

/*
 * The lexer and the parser of the `yaml` package are generators all the way down: several for every lexeme. Almost
 * all of their time goes into making those, so they are turned into plain methods when Herald is built: what was
 * yielded is pushed, in the same order. This halves the time that parsing takes.
 * `test/workspace/eager-yaml.test.ts` compares both, and whatever is not as expected here fails the build.
 */

/** The package's ES modules, made from the same source as those that Node gets, without their debug switches. */
const ENTRY = new URL('../node_modules/yaml/browser/dist/index.js', import.meta.url).pathname;
const EAGER = /yaml\/browser\/dist\/parse\/(lexer|parser)\.js$/;

/** For esbuild. */
export const eagerYaml = {
  name: 'eager-yaml',
  setup(build) {
    build.onResolve({ filter: /^yaml$/ }, () => ({ path: ENTRY }));
    build.onLoad({ filter: EAGER }, async ({ path }) => ({
      contents: toEager(await readFile(path, 'utf8')),
    }));
  },
};

/** For vitest, so that the tests run what is released. */
export const eagerYamlInTests = {
  name: 'eager-yaml',
  enforce: 'pre',
  resolveId: (id) => (id === 'yaml' ? ENTRY : null),
  transform: (code, id) => (EAGER.test(id) ? toEager(code) : null),
};

/** Turns the generators of one of the two modules into methods. */
export function toEager(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '');
  const generators = [...code.matchAll(/^ +\*(\w+)\(/gm)].map(([, name]) => name);
  if (generators.length === 0) throw new Error('this module of yaml has no generator');
  const plain = code
    // A generator does nothing before it is asked.
    .replace(new RegExp(`^ +this\\.(${generators.join('|')})\\(\\);\n`, 'gm'), '')
    .replace(/^( +)\*(\w+)\(/gm, '$1$2(')
    .replaceAll('yield* this.', 'this.')
    .replace(/\byield ([^;*\n]+|\{\n[\s\S]*?\n +\});/g, 'this.out.push($1);');
  const eager = code.includes('class Parser') ? answeringAll(plain) : plain;
  if (/\byield\b/.test(eager)) throw new Error('a generator is left in this module of yaml');
  return eager;
}

/** Each lexeme goes to the parser as soon as it is known; the tokens are answered as a list. */
function answeringAll(code) {
  const loop = /for \(const lexeme of this\.lexer\.lex\(source, incomplete\)\)\s+this\.next\(lexeme\);/;
  const end = /if \(!incomplete\)\s+this\.end\(\);/;
  if (!loop.test(code) || !end.test(code))
    throw new Error('the parser of yaml reads its lexemes in another way');
  return code
    .replace(
      loop,
      'this.out = []; this.lexer.out = { push: (lexeme) => this.next(lexeme) }; this.lexer.lex(source, incomplete);',
    )
    .replace(end, (found) => `${found} return this.out;`);
}
