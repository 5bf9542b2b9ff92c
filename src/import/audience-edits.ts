import type { Edit } from './editable-file.ts';
import { isForm, type Form, type Plain, type Typed } from './form.ts';
import { marksOf } from './write-audience.ts';

/** Unchanged filters stay as written, with their comments. Others are removed, and new ones are added. */
export function audienceEdits(typed: Typed, form: Form): readonly Edit[] {
  const live = listOf(form['audience_filters']).filter(isForm);
  const old = listOf(typed['audience_filters']);
  if (live.length === 0)
    return [
      { op: 'delete', path: ['audience_filters'] },
      { op: 'set', path: ['audience'], value: 'everyone' },
    ];
  const names = namesIn(old);
  if (old.length === 0)
    return [
      { op: 'delete', path: ['audience'] },
      { op: 'set', path: ['audience_filters'], value: live.map((filter) => withNames(filter, names)) },
    ];
  const left = [...live];
  const gone: number[] = [];
  old.forEach((filter, index) => {
    const partner = left.findIndex((candidate) => says(filter, candidate));
    if (partner === -1) gone.push(index);
    else left.splice(partner, 1);
  });
  const kept = old.length - gone.length;
  return [
    ...gone.toReversed().map((index): Edit => ({ op: 'delete', path: ['audience_filters', index] })),
    ...left.map((filter, index): Edit => ({
      op: 'insert',
      path: ['audience_filters', kept + index],
      value: withNames(filter, names),
    })),
  ];
}

/** The values that a person has to fill in after the edits. */
export function leftOpenBy(edits: readonly Edit[]): readonly string[] {
  return edits.flatMap((edit) => {
    if (edit.op === 'delete' || edit.path[0] !== 'audience_filters') return [];
    const filters: readonly unknown[] = Array.isArray(edit.value) ? edit.value : [edit.value];
    return filters.filter(isForm).flatMap((filter) => marksOf(filter, []).map(({ comment }) => comment));
  });
}

/** True if a written filter equals a live one. Days and names of lists are not in replies. */
function says(typed: unknown, live: Form): boolean {
  if (!isForm(typed) || typed['kind'] !== live['kind'] || typed['mode'] !== live['mode']) return false;
  const [wanted, got] = [optionsOf(typed), optionsOf(live)];
  return (
    sameInstant(wanted['from_at'], got['from_at']) &&
    sameInstant(wanted['to_at'], got['to_at']) &&
    sameLists(listOf(wanted['lists']), listOf(got['lists']))
  );
}

function sameInstant(left: unknown, right: unknown): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return left === right;
  return Date.parse(left) === Date.parse(right);
}

function sameLists(typed: readonly unknown[], live: readonly unknown[]): boolean {
  const ids = new Set(live.map((list) => (isForm(list) ? list['id'] : undefined)));
  const pinned = typed.flatMap((list) => (isForm(list) && list['id'] !== undefined ? [list['id']] : []));
  return typed.length === live.length && pinned.every((id) => ids.has(id));
}

/** Names of lists in the file, by id. The service never returns them. */
function namesIn(filters: readonly unknown[]): ReadonlyMap<unknown, string> {
  const lists = filters.flatMap((filter) => (isForm(filter) ? listOf(optionsOf(filter)['lists']) : []));
  return new Map(
    lists.flatMap((list): [unknown, string][] =>
      isForm(list) && typeof list['name'] === 'string' ? [[list['id'], list['name']]] : [],
    ),
  );
}

function withNames(filter: Form, names: ReadonlyMap<unknown, string>): Form {
  const options = filter['options'];
  if (!isForm(options)) return filter;
  const lists = listOf(options['lists']).filter(isForm);
  if (lists.length === 0) return filter;
  const named = lists.map((list): Form => {
    const name = names.get(list['id']);
    return name === undefined ? list : { ...list, name };
  });
  return { ...filter, options: { ...options, lists: named } };
}

function optionsOf(filter: Typed): Typed {
  const { options } = filter;
  return isForm(options) ? options : {};
}

function listOf<Item>(value: readonly Item[] | Plain | undefined): readonly Item[];
function listOf(value: unknown): readonly unknown[];
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
