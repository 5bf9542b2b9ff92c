import type { Context } from './context.ts';
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
