import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, isOperation, OPERATIONS, type Operation } from '../../../src/api/catalogue.ts';
import type { Row } from '../../../src/api/row.ts';
import { JSON_SCHEMAS, listShape } from '../../../src/cli/schemas.ts';
import { LIST_NAMES, LIST_COMMANDS } from '../../../src/api/lists.ts';
import { fileAttachmentShape } from '../../../src/workspace/schema.ts';
import { aScene } from '../../helpers/scene.ts';
import { DOCUMENTED } from './documented.ts';

const ROWS = Object.entries(DOCUMENTED);

function rowOf(operation: string): Row {
  if (!isOperation(operation)) throw new Error(`${operation} is not in the catalogue`);
  return CATALOGUE[operation];
}

function keysOf(shape: unknown): readonly string[] {
  return shape instanceof z.core.$ZodObject ? Object.keys(shape._zod.def.shape) : [];
}

/** What the command prints about itself. */
async function helpOf(command: string): Promise<string> {
  return (await aScene().herald(...command.split(' '), '--help')).stdout;
}

/** The keys of a resource file. */
const FILE_KEYS = JSON.stringify(JSON_SCHEMAS.resources());

describe('the table of what is documented', () => {
  it('has each call of the catalogue, and no other', () => {
    expect(Object.keys(DOCUMENTED).toSorted()).toEqual([...OPERATIONS]);
  });

  it.each(ROWS)(
    '%s: names each parameter that the catalogue takes, and no other',
    (operation, { params }) => {
      const row = rowOf(operation);
      const taken = [row.params, row.query, row.body].flatMap(keysOf);
      expect(Object.keys(params).toSorted()).toEqual([...new Set(taken)].toSorted());
    },
  );

  it.each(ROWS)('%s: the command has a place for each parameter', async (_, { command, params }) => {
    const help = await helpOf(command);
    const without = Object.entries(params).filter(([, place]) => {
      if (place === 'the command') return false;
      if (place.startsWith('--')) return !new RegExp(`^ +(?:-\\w, )?${place}(?![\\w-])`, 'm').test(help);
      if (/^[<[]/.test(place)) return !(help.split('\n')[0] ?? '').includes(place);
      return !FILE_KEYS.includes(`"${place.split('.').at(-1) ?? place}"`);
    });
    expect(without, help).toEqual([]);
  });
});

it('the page of calls is in step with the table; to write it again: npm run message-pages', async () => {
  await expect(callsPage()).toMatchFileSnapshot('../../../docs/reference/calls.md');
});

/** Whether `herald api` makes the call, too. */
function isRaw(operation: string): boolean {
  return isOperation(operation) && rowOf(operation).method === 'GET';
}

/** What reaches each call, and where its parameters and fields are. */
function callsPage(): string {
  const lines = ROWS.flatMap(([operation, { command, params, asCode, fields, nextToItems }]) => {
    const { method, path, permission, perSecond, group, paging, repeat, success } = rowOf(operation);
    const pages = 'items' in paging ? `, pages by ${paging.style} over ${paging.items}` : '';
    const shared = group === undefined ? '' : `, 1 a second for each account in ${group}`;
    const places = Object.entries(params).map(([name, place]) => `${name} ${place}`);
    const inFiles = Object.entries(asCode ?? {}).map(([name, key]) => `${name} ${key}`);
    return [
      `${method} ${path}`,
      `  herald ${command}${isRaw(operation) ? `, herald api ${operation}` : ''}`,
      `  permission: ${permission}`,
      `  ${perSecond} a second${shared}, repeat rule ${repeat}, success ${success}${pages}`,
      ...(places.length === 0 ? [] : [`  parameters: ${places.join(', ')}`]),
      ...(inFiles.length === 0 ? [] : [`  in an attachment of a file: ${inFiles.join(', ')}`]),
      ...(fields === undefined ? [] : [`  fields: ${fields.length}, each with a column`]),
      ...(nextToItems === undefined ? [] : [`  next to the rows: ${nextToItems.join(', ')}`]),
    ];
  });
  return [
    '# Calls of the service',
    '',
    'Every call that the service documents, the command that makes it, and the flag, argument or key that sets each of its',
    'parameters. Herald itself sets those with `<FILE...>` or `the command`. A test compares this page with the catalogue, the help of',
    'the commands and the columns of the lists. Another one makes every call on the simulator: with a key that has the permission,',
    'and with one that lacks it. The message then names the permission.',
    '',
    '```text',
    ...lines,
    '```',
    '',
    'Two things of the document are not calls here. The export of account sessions has no path in the document. Webhooks have no',
    'call to register them; [events](../service/events.md) arrive where the organisation set them up.',
    '',
  ].join('\n');
}

/** Herald has these from the service, except for the type: a message shows media that was exported for messages. */
const FROM_THE_FLOW = ['account_id', 'key', 'e_tag', 'get_url', 'export_type'];

it.each(
  ROWS.flatMap(([operation, { params, asCode }]) => (asCode ? ([[operation, params, asCode]] as const) : [])),
)('%s: an attachment has a key for each parameter that a person decides', (_, params, asCode) => {
  expect(Object.keys(asCode).toSorted()).toEqual(
    Object.keys(params)
      .filter((name) => !FROM_THE_FLOW.includes(name))
      .toSorted(),
  );
  const keys = keysOf(fileAttachmentShape);
  expect(Object.values(asCode).filter((key) => !keys.includes(key))).toEqual([]);
});

describe('the fields of lists', () => {
  const lists = LIST_NAMES.map((name) => [name, LIST_COMMANDS[name]] as const);

  it.each(lists)('%s has a column for each documented field', (_, definition) => {
    const { fields = [] } = DOCUMENTED[definition.operation] ?? {};
    const columns = [...definition.columns, ...definition.more].map(({ path }) => path);
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter((field) => !columns.includes(field))).toEqual([]);
  });

  it('are documented for every list', () => {
    const listed = lists.map(([, { operation }]) => operation as Operation).toSorted();
    const documented = ROWS.filter(([, { fields }]) => fields !== undefined).map(([operation]) => operation);
    expect(documented.toSorted()).toEqual(listed);
    const inPages = OPERATIONS.filter((operation) => 'items' in CATALOGUE[operation].paging);
    expect(listed.filter((operation) => operation !== 'payouts.balances')).toEqual(inPages.toSorted());
  });

  it.each(lists)('%s names each column once, and has examples of itself', (name, list) => {
    const paths = [...list.columns, ...list.more].map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(list.examples.length).toBeGreaterThan(0);
    for (const example of list.examples) expect(example).toContain(`herald ${name}`);
  });

  // CONTENT-26
  it('head targeted sends as sends, and not as fans', () => {
    const { columns } = LIST_COMMANDS['campaigns list'];
    expect(columns.find(({ path }) => path === 'targeted_sends_count')?.header).toBe('targeted sends');
  });

  it.each(ROWS.filter(([, { nextToItems }]) => nextToItems !== undefined))(
    '%s: the members next to the rows are the same in the catalogue',
    (operation, { nextToItems = [] }) => {
      const { reply, paging } = rowOf(operation);
      const items = 'items' in paging ? paging.items : '';
      expect(
        keysOf(reply)
          .filter((key) => key !== items)
          .toSorted(),
      ).toEqual([...nextToItems].toSorted());
    },
  );

  it('JSON has the members that say where a list goes on, and how long it is', () => {
    const pages = listShape.shape.pages.unwrap().element;
    expect(keysOf(pages)).toEqual(['account', 'total', 'marker', 'next_cursor']);
  });
});
