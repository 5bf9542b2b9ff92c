import { Composer, Parser, type CST, type Document, type ErrorCode } from 'yaml';
import { DEPTH_MAX, QUOTE_BRACES, type NodeProblem } from './yaml-values.ts';

/** Limit for one file: larger than any real one, and read within seconds. */
export const FILE_LENGTH_MAX = 2 * 1024 * 1024;

export type ParsedYaml =
  | { readonly kind: 'parsed'; readonly contents: unknown }
  | {
      readonly kind: 'broken';
      readonly problems: readonly NodeProblem[];
      /** What could be read. */
      readonly contents?: unknown;
    };

/** YAML 1.2 core: `off` and `18:00` stay text. Duplicate keys are found by `readValues`. */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
} as const;

/**
 * Parses one document. This is `parseDocument` with a bound on depth: the composer recurses, and running
 * out of stack inside a regular expression ends the process instead of throwing.
 */
export function parseYaml(text: string): ParsedYaml {
  const parser = new ShallowParser();
  try {
    const documents = new Composer(OPTIONS).compose(countSlips(parser.parse(text)), true, text.length);
    const first = documents.next();
    const second = documents.next();
    if (first.done === true) return { kind: 'parsed', contents: null };
    const { errors, warnings, directives } = first.value;
    const said = [...errors, ...warnings].map(({ code, message, pos }) => ({
      code,
      message,
      offset: pos[0],
    }));
    const problems = syntaxProblems(text, said, directives.yaml);
    if (second.done !== true) problems.push(describe('MULTIPLE_DOCS', '', second.value.range[0]));
    return problems.length === 0
      ? { kind: 'parsed', contents: first.value.contents }
      : { kind: 'broken', problems, contents: first.value.contents };
  } catch (cause) {
    if (cause instanceof TooBroken)
      return { kind: 'broken', problems: syntaxProblems(text, cause.slips, null) };
    if (cause instanceof TooLarge) return { kind: 'broken', problems: [tooLarge(cause.offset)] };
    if (!(cause instanceof TooDeep)) throw cause;
    return { kind: 'broken', problems: [describe('RESOURCE_EXHAUSTION', '', cause.offset)] };
  }
}

class TooDeep extends Error {
  override readonly name = 'TooDeep';
  readonly offset: number;
  constructor(offset: number) {
    super('nested too deeply');
    this.offset = offset;
  }
}

/**
 * Limit for words, signs, blanks and line breaks in one file. A dense file of the greatest length has about as many.
 */
const TOKENS_MAX = 1_500_000;

class TooLarge extends Error {
  override readonly name = 'TooLarge';
  readonly offset: number;
  constructor(offset: number) {
    super('too many tokens');
    this.offset = offset;
  }
}

function tooLarge(offset: number): NodeProblem {
  const message = `The file has too many parts (${TOKENS_MAX} up to here). Split it into several files.`;
  return { code: 'file-too-large', message, offset };
}

/** The parser keeps a document, a scalar and a few others on its stack besides the collections. */
const STACK_MAX = DEPTH_MAX + 8;

class ShallowParser extends Parser {
  #tokens = 0;

  override next(source: string): Generator<CST.Token, void> {
    if (this.stack.length > STACK_MAX) throw new TooDeep(this.offset);
    this.#tokens += 1;
    if (this.#tokens > TOKENS_MAX) throw new TooLarge(this.offset);
    return super.next(source);
  }
}

/** A problem that the library reports. */
interface Slip {
  readonly code: ErrorCode;
  readonly message: string;
  readonly offset: number;
}

class TooBroken extends Error {
  override readonly name = 'TooBroken';
  readonly slips: readonly Slip[];
  constructor(slips: readonly Slip[]) {
    super('too many slips');
    this.slips = slips;
  }
}

/** Limit of problems in one file, because each takes as long as a hundred words. */
const SLIPS_MAX = 1_000;

/** Counts the error tokens. Throws `TooBroken` at the limit. */
function* countSlips(tokens: Iterable<CST.Token>): Generator<CST.Token, void> {
  const slips: Slip[] = [];
  for (const token of tokens) {
    if (token.type === 'error')
      slips.push({ code: 'UNEXPECTED_TOKEN', message: token.message, offset: token.offset });
    if (slips.length > SLIPS_MAX) throw new TooBroken(slips);
    yield token;
  }
}

/** One mistake can make all later lines look wrong, so only the first ones are reported. */
const SYNTAX_PROBLEMS_MAX = 20;

/** How to fix common mistakes. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: 'In double quotes, write each backslash twice, or use single quotes.',
  BAD_INDENT: 'Check the indentation and the brackets.',
  BAD_SCALAR_START: 'Put the text in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a text with ": " in quotes.',
  MISSING_CHAR: 'Check quotes, commas and brackets.',
  TAB_AS_INDENT: 'Indent with spaces.',
};

type Version = Document.Parsed['directives']['yaml'];

const OUT_OF_PLACE = /^Unexpected \S+ token in YAML stream/;

const AFTER_NODE = /^Unexpected \S+ at node end/;

/** Whether something follows a value that begins with `{{`, on its line. */
function isBehindBraces(text: string, message: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return AFTER_NODE.test(message) && /[:-]\s+\{\{[^"']*$/.test(line);
}

/** Problems that make a document unusable, in the order of the text. */
function syntaxProblems(text: string, said: readonly Slip[], version: Version | null): NodeProblem[] {
  // If a document ends too early, everything after it is reported word by word.
  const end = said.findIndex(({ message }) => OUT_OF_PLACE.test(message));
  const problems = said
    .filter(({ message }, index) => index === end || !OUT_OF_PLACE.test(message))
    .map(({ code, message, offset }) =>
      isBehindBraces(text, message, offset)
        ? { code: 'yaml-syntax' as const, message: QUOTE_BRACES, offset }
        : describe(code, message, offset),
    );
  if (version?.explicit === true && version.version !== '1.2') {
    const message = `%YAML ${version.version} is not supported. Remove the line; these files are YAML 1.2.`;
    problems.push({ code: 'yaml-version', message, offset: 0 });
  }
  return problems.sort((left, right) => left.offset - right.offset).slice(0, SYNTAX_PROBLEMS_MAX);
}

function describe(code: ErrorCode, message: string, offset: number): NodeProblem {
  switch (code) {
    case 'MULTIPLE_DOCS':
      return {
        code: 'several-documents',
        message: 'A second document begins here. Put each into its own file.',
        offset,
      };
    case 'TAG_RESOLVE_FAILED':
      return { code: 'custom-tag', message: 'Tags are not supported. Remove it.', offset };
    case 'RESOURCE_EXHAUSTION':
      return { code: 'yaml-too-deep', message: 'Nested too deeply. Check the brackets.', offset };
    default:
      return {
        code: 'yaml-syntax',
        message: `${message.replace(/[.\s]+$/, '')}. ${ADVICE[code] ?? 'Check this line and the one above it.'}`,
        offset,
      };
  }
}
