import { Composer, Parser, type CST, type Document, type ErrorCode } from 'yaml';
import { DEPTH_MAX, type NodeProblem } from './yaml-values.ts';

/** 64 Mi characters: above any honest file, below what exhausts memory. */
export const TEXT_LENGTH_MAX = 64 * 1024 * 1024;

export type ParsedYaml =
  | { readonly kind: 'parsed'; readonly contents: unknown }
  | { readonly kind: 'broken'; readonly problems: readonly NodeProblem[] };

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
    const documents = new Composer(OPTIONS).compose(parser.parse(text), true, text.length);
    const first = documents.next();
    const second = documents.next();
    if (first.done === true) return { kind: 'parsed', contents: null };
    const problems = syntaxProblems(first.value);
    if (second.done !== true) problems.push(describe('MULTIPLE_DOCS', '', second.value.range[0]));
    return problems.length === 0
      ? { kind: 'parsed', contents: first.value.contents }
      : { kind: 'broken', problems };
  } catch (cause) {
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

/** The parser keeps a document, a scalar and a few others on its stack besides the collections. */
const STACK_MAX = DEPTH_MAX + 8;

class ShallowParser extends Parser {
  override next(source: string): Generator<CST.Token, void> {
    if (this.stack.length > STACK_MAX) throw new TooDeep(this.offset);
    return super.next(source);
  }
}

/** One slip can make every later line look wrong; the first ones say it best. */
const SYNTAX_PROBLEMS_MAX = 20;

/** What to do about the slips that people make. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: 'In double quotes a backslash is written twice; or use single quotes.',
  BAD_INDENT: 'Check the indentation and the brackets.',
  BAD_SCALAR_START: 'Put the text in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a text that holds ": " in quotes.',
  MISSING_CHAR: 'Check quotes, commas and brackets.',
  TAB_AS_INDENT: 'Indent with spaces.',
};

const OUT_OF_PLACE = /^Unexpected \S+ token in YAML stream/;

/** What makes a document unusable, in the order of the text. */
function syntaxProblems(document: Document.Parsed): NodeProblem[] {
  const said = [...document.errors, ...document.warnings];
  // Where a document ends too early, whatever stands behind it is out of place, word by word.
  const end = said.findIndex(({ message }) => OUT_OF_PLACE.test(message));
  const problems = said
    .filter(({ message }, index) => index === end || !OUT_OF_PLACE.test(message))
    .map(({ code, message, pos }) => describe(code, message, pos[0]));
  const version = document.directives.yaml;
  if (version.explicit === true && version.version !== '1.2') {
    const message = `%YAML ${version.version} is not read: remove the line, these files are YAML 1.2.`;
    problems.push({ code: 'yaml-version', message, offset: 0 });
  }
  return problems.sort((left, right) => left.offset - right.offset).slice(0, SYNTAX_PROBLEMS_MAX);
}

function describe(code: ErrorCode, message: string, offset: number): NodeProblem {
  switch (code) {
    case 'MULTIPLE_DOCS':
      return {
        code: 'several-documents',
        message: 'A second document begins here: put each into its own file.',
        offset,
      };
    case 'TAG_RESOLVE_FAILED':
      return { code: 'custom-tag', message: 'Tags are not understood: remove it.', offset };
    case 'RESOURCE_EXHAUSTION':
      return { code: 'yaml-too-deep', message: 'Nested too deeply to be read: check the brackets.', offset };
    default:
      return {
        code: 'yaml-syntax',
        message: `${message.replace(/[.\s]+$/, '')}. ${ADVICE[code] ?? 'Check this line and the one above it.'}`,
        offset,
      };
  }
}
