import { EXIT, type ExitCode } from '../../domain/exit-codes.ts';
import type { ListFacts } from '../../api/pages.ts';
import { ReaderGoneError, type Output } from '../../domain/ports.ts';
import { joined, page, shown } from '../../domain/visible.ts';
import type { ListColumn } from '../../domain/list-column.ts';
import { cellText, headingOf } from '../../render/cells.ts';
import { compactJson } from '../../render/json.ts';
import { renderTable } from '../../render/table.ts';
import { Totals } from '../../render/totals.ts';
import type { ListFormat } from '../formats.ts';
import { valueOf, type ColumnSet, type ListItem } from './list-columns.ts';

/** Receives the rows of a list, page by page. */
export interface ListSink {
  take(items: readonly ListItem[]): Promise<void>;
  /** Called after the last row. `complete` is true if the whole list was read. */
  end(complete: boolean, pages?: readonly PageFacts[]): Promise<void>;
}

/** What the service says about the list of one account. */
export interface PageFacts extends ListFacts {
  readonly account?: string;
}

export interface SinkOptions {
  readonly output: Output;
  readonly definition: ColumnSet;
  readonly columns: readonly ListColumn[];
}

/** A table collects the rows of one part before it writes. The other sinks hold one page at most. */
export const SINKS = {
  table: tableSink,
  json: jsonSink,
  ndjson: ndjsonSink,
  csv: csvSink,
} as const satisfies Record<ListFormat, (options: SinkOptions) => ListSink>;

/** Prints rows that were read as a whole. `complete` is false if some may be missing. Resolves with the exit code. */
export async function printRows(
  format: ListFormat,
  options: SinkOptions,
  items: readonly ListItem[],
  complete: boolean,
): Promise<ExitCode> {
  const sink = SINKS[format](options);
  try {
    await sink.take(items);
    await sink.end(complete);
  } catch (error) {
    // The reader closed the pipe, as `| head` does.
    if (error instanceof ReaderGoneError) return EXIT.done;
    throw error;
  }
  return complete ? EXIT.done : EXIT.failed;
}

const FIRST = shown`\n    `;
const FURTHER = shown`,\n    `;

/** `herald/list/1`, streamed with one item per line. */
function jsonSink({ output }: SinkOptions): ListSink {
  let begun = false;
  const begin = shown`{\n  "schema": "herald/list/1",\n  "items": [`;
  return {
    take: async (items) => {
      const lines = items.flatMap((item, index) => [index === 0 ? FIRST : FURTHER, compactJson(item)]);
      await output.stream(joined([begun ? shown`,` : begin, ...lines], ''));
      begun = true;
    },
    end: (complete, pages = []) => {
      const facts = pages.length === 0 ? shown`` : shown`,\n  "pages": ${compactJson(pages)}`;
      return output.stream(
        joined(
          [begun ? shown`\n  ` : begin, shown`],\n  "complete": ${String(complete)}`, facts, shown`\n}\n`],
          '',
        ),
      );
    },
  };
}

/** One item per line and nothing else. The exit code shows if the list is complete. */
function ndjsonSink({ output }: SinkOptions): ListSink {
  return {
    take: (items) =>
      output.stream(
        joined(
          items.map((item) => page([compactJson(item)])),
          '',
        ),
      ),
    end: () => Promise.resolve(),
  };
}

/** A line with the column paths, then raw values. */
function csvSink({ output, definition, columns }: SinkOptions): ListSink {
  let header: readonly (readonly string[])[] = [columns.map(({ path }) => path)];
  const write = async (items: readonly ListItem[]) => {
    const { renderCsv } = await import('../../render/csv.ts');
    const rows = items.map((item) => columns.map((column) => valueOf(definition, item, column)));
    await output.stream(renderCsv([...header, ...rows]));
    header = [];
  };
  return { take: write, end: () => (header.length === 0 ? Promise.resolve() : write([])) };
}

/** Rows per part of a table. A longer list is drawn in parts, so that it is never in memory as a whole. */
const TABLE_PART_ROWS = 5000;

function tableSink({ output, definition, columns }: SinkOptions): ListSink {
  const totals = definition.totals === undefined ? null : new Totals(definition.totals);
  const headings = columns.map(headingOf);
  const style = { colour: output.colour, width: output.width };
  const waiting: ListItem[] = [];
  let parts = 0;
  const draw = async (items: readonly ListItem[]) => {
    const cells = items.map((item) =>
      columns.map((column) => cellText(valueOf(definition, item, column), column)),
    );
    await output.stream(joined([parts === 0 ? shown`` : shown`\n`, renderTable(headings, cells, style)], ''));
    parts += 1;
  };
  return {
    take: async (items) => {
      waiting.push(...items);
      totals?.add(items);
      while (waiting.length >= TABLE_PART_ROWS) await draw(waiting.splice(0, TABLE_PART_ROWS));
    },
    end: async () => {
      if (waiting.length > 0 || parts === 0) await draw(waiting);
      const sums = totals?.table() ?? null;
      // Not among the rows, so that a script that reads them reads nothing else.
      if (sums !== null)
        output.say(
          joined([shown`\nTotals of these rows:\n`, renderTable(sums.columns, sums.rows, style)], ''),
        );
    },
  };
}
