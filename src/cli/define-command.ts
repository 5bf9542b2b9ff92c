import type { ExitCode } from '../domain/exit-codes.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import type { Visible } from '../domain/visible.ts';
import type { State } from '../state/state.ts';
import { renderJson } from '../render/json.ts';
import type { Opened, Service } from '../library/connect.ts';
import type { Loaded } from '../workspace/load.ts';
import type { Context } from './context.ts';
import type { Flag, ValuesOf, Word } from './flags.ts';
import type { SchemaName } from './schemas.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** Formats of a command that reports its result. In each of these lists, the first is the default. */
export const REPORT_FORMATS = ['text', 'json'] as const;

export const PLAN_FORMATS = ['text', 'markdown', 'json'] as const;
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** Formats of a command that prints rows. `DRAWINGS` draws them. */
export const LIST_FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;
/** Accounts are also printed as the block of `herald.yaml`. */
export const ACCOUNT_FORMATS = [...LIST_FORMATS, 'yaml'] as const;
export type ListFormat = (typeof ACCOUNT_FORMATS)[number];

export type Format = PlanFormat | ListFormat;
export type Formats = readonly [Format, ...Format[]];

/** The value of `--format`, or the first of `formats`. Throws for a format that the command does not print. */
export function chooseFormat<Chosen extends Format>(
  context: Context,
  formats: readonly [Chosen, ...Chosen[]],
): Chosen {
  const { format } = context.flags;
  if (format === undefined) return formats[0];
  const known = formats.find((candidate) => candidate === format);
  if (known === undefined)
    throw new HeraldError(
      'bad-flag',
      `This command cannot print ${format}. Use one of: ${formats.join(', ')}.`,
    );
  return known;
}

export type LoadedFiles = Extract<Loaded, { readonly kind: 'loaded' }>;

/** What a command needs before it runs. The frame opens it, and closes what must be closed. */
interface Needs {
  readonly nothing: null;
  /** The files, all of them valid, without a connection. */
  readonly files: LoadedFiles;
  /** The files, and a connection to the service. */
  readonly workspace: Opened;
  /** The settings of `herald.yaml`, and a connection. */
  readonly service: Service;
  /** Settings and connection for reads: without a `herald.yaml`, HERALD_BASE_URL names the service. */
  readonly reads: Service;
  /** The state, to read what it has of the service. */
  readonly state: State;
  /** The state, to read what it has of any service. */
  readonly record: State;
  /** The state, with the lease of it. */
  readonly lease: { readonly state: State; readonly settings: WorkspaceSettings };
}

/** A document for programs. `schema` names the shape that `herald schema` prints. */
export interface Document {
  readonly schema: `herald/${SchemaName}/1`;
  readonly [member: string]: unknown;
}

type Texts = Visible | readonly Visible[];

/** How each format of a report is drawn. Lists print themselves, row by row. */
export interface Reports {
  /** Several texts begin on a line each. None: there is nothing to say. */
  readonly text: () => Texts | Promise<Texts>;
  readonly json: () => Document;
  readonly markdown: () => Visible | Promise<Visible>;
}

/** A command that prints a format returns its entry. */
type Drawn = Reports & { readonly [Name in Exclude<Format, keyof Reports>]: never };

/** What a command ends with. An exit code alone: it has printed everything itself. Left out: `done`. */
type Result<Chosen extends Format> = ExitCode | (Pick<Drawn, Chosen> & { readonly exit?: ExitCode });

/** A result of which the formats are not known any more. */
export type AnyResult = ExitCode | (Partial<Drawn> & { readonly exit?: ExitCode });

type Words = Readonly<Record<string, Word<unknown> | null>>;
type Flags = Readonly<Record<string, Flag<unknown> | null>>;

/** A command: one row and one file in `src/commands/`. Help, completion and the reference are made from it. */
export interface CommandRow<
  Need extends keyof Needs = keyof Needs,
  Given extends Words = Words,
  Set extends Flags = Flags,
  Printed extends Formats = Formats,
> {
  /** `campaigns pause` */
  readonly path: string;
  /** What it does, as a phrase. */
  readonly about: string;
  readonly examples: readonly string[];
  /** What `--format` takes. The first is the default. Left out: text and json. */
  readonly formats?: Printed;
  readonly words?: Given;
  readonly flags?: Set;
  readonly needs: Need;
  /** A paragraph below the examples in the help. */
  readonly more?: string;
  /** Help and completion leave it out. */
  readonly hidden?: true;
  /** The workspace's folder below that of `-C`, as in `init [DIR]`: each is relative to the one before. */
  readonly directories?: (given: ValuesOf<Given>) => Promise<readonly string[]> | readonly string[];
  readonly run: (
    context: Context,
    given: ValuesOf<Given> & ValuesOf<Set> & { readonly format: Printed[number] },
    opened: Needs[Need],
  ) => Promise<Result<Printed[number]>> | Result<Printed[number]>;
}

/** A command of which the types of words, flags and formats are not known any more. */
export interface AnyCommand extends Omit<CommandRow, 'run' | 'directories'> {
  readonly directories?: (given: never) => Promise<readonly string[]> | readonly string[];
  readonly run: (context: Context, given: never, opened: never) => Promise<AnyResult> | AnyResult;
}

/** Checks a row against what it declares. */
export function defineCommand<
  const Need extends keyof Needs,
  const Given extends Words = Readonly<Record<never, never>>,
  const Set extends Flags = Readonly<Record<never, never>>,
  const Printed extends Formats = typeof REPORT_FORMATS,
>(row: CommandRow<Need, Given, Set, Printed>): CommandRow<Need, Given, Set, Printed> {
  return row;
}

/** What a command did, or what the service has: one object for programs, and its text. */
export function itemResult(item: Readonly<Record<string, unknown>>, text: Texts) {
  return { json: (): Document => ({ schema: 'herald/item/1', item }), text: () => text };
}

/** Rows that were read as a whole, and their text. */
export function listResult(items: readonly object[], text: Texts) {
  return { json: (): Document => ({ schema: 'herald/list/1', items, complete: true }), text: () => text };
}

/** Prints a result. For a command that goes on after that. */
export async function printResult(
  { output }: Context,
  format: Format,
  result: Partial<Drawn>,
): Promise<void> {
  // A list has printed itself: its type has no entry for its formats.
  const { json, ...others }: Partial<Reports> = result;
  const texts = format === 'json' ? renderJson(json?.()) : await others[format as keyof typeof others]?.();
  for (const text of [texts ?? []].flat()) output.result(text);
}
