import type { Diagnostic } from '../domain/diagnostic.ts';
import type { SourcePlace } from '../domain/resource.ts';
import type { Path, Placed } from './findings.ts';
import { placeInText, unprintableOffset } from './text.ts';
import { TextPlaces } from './text-places.ts';
import { FILE_LENGTH_MAX, parseYaml } from './yaml-parse.ts';
import { NodeFinder } from './yaml-places.ts';
import { readValues, type NodeProblem } from './yaml-values.ts';

/** A parsed YAML file: its plain value, and the places of all parts. */
export interface YamlSource extends Placed {
  readonly file: string;
  readonly value: unknown;
  /** The text of a number that is not plain digits with up to two decimals. Undefined for all others. */
  oddNumberAt(path: Path): string | undefined;
}

export interface ReadYaml {
  /** Null if the text is not YAML. */
  readonly source: YamlSource | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads one YAML file. Problems are returned as diagnostics, and nothing is thrown. */
export function readYaml(file: string, raw: string): ReadYaml {
  const text = raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
  const unreadable = refuseText(file, text);
  if (unreadable !== null) return { source: null, diagnostics: [unreadable] };
  // Lines are counted here, because the parser does not count the lines of invalid parts.
  const places = new TextPlaces(file, text);
  const place = (offset: number): SourcePlace => places.at(offset);
  const parsed = parseYaml(text);
  if (parsed.kind === 'broken') {
    // A comment that begins too early often breaks the brackets around it.
    const cuts = readValues(parsed.contents, text).problems.filter(({ code }) => code === 'text-cut');
    const problems = [...cuts, ...parsed.problems];
    return { source: null, diagnostics: problems.map((problem) => atPlace(problem, place)) };
  }
  const { value, targets, problems, oddNumbers } = readValues(parsed.contents, text);
  const nodes = new NodeFinder(parsed.contents, targets);
  return {
    source: {
      file,
      value,
      placeOf: (path, at = 'value') => place(nodes.offset(path, at)),
      oddNumberAt: (path) => (oddNumbers.size === 0 ? undefined : oddNumbers.get(nodes.node(path))),
    },
    diagnostics: problems.map((problem) => atPlace(problem, place)),
  };
}

function refuseText(file: string, text: string): Diagnostic | null {
  if (text.length > FILE_LENGTH_MAX) {
    const message = `This file is longer than ${FILE_LENGTH_MAX} characters. Split it into several files.`;
    return {
      severity: 'error',
      code: 'file-too-large',
      message,
      ...placeInText(file, text, FILE_LENGTH_MAX),
    };
  }
  const offset = unprintableOffset(text);
  if (offset === -1) return null;
  const message = 'This character cannot be read. Save the file as UTF-8 text.';
  return { severity: 'error', code: 'not-text', message, ...placeInText(file, text, offset) };
}

function atPlace(problem: NodeProblem, place: (offset: number) => SourcePlace): Diagnostic {
  const { severity = 'error', code, message, offset } = problem;
  return { severity, code, message, ...place(offset) };
}
