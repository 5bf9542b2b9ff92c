import type { CommitRecord, DispatchRecord } from '../../../src/simulator/records.ts';
import { aliasOf } from '../declare.ts';

/** One change of what is live, as a person would say it. */
export function commitWords({ cause, account_id, kind, id, name, change, status }: CommitRecord): string {
  const what = `${kind} ${id} "${name ?? ''}" of ${aliasOf(account_id)}`;
  const who = { api: '', control: ', by a person', service: ', by itself' }[cause.by];
  switch (change) {
    case 'create':
      return `service: ${what} is made, ${status ?? 'without a status'}${who}`;
    case 'edit':
      return `service: ${what} is changed, ${status ?? 'without a status'}${who}`;
    case 'unsend':
      return `service: ${what} is recalled${who}`;
    case 'status':
      return `service: ${what} is ${status ?? 'without a status'} now${who}`;
  }
}

export function dispatchWords({ account_id, fan_id, kind, id, text }: DispatchRecord): string {
  return `service: ${fan_id} of ${aliasOf(account_id)} gets "${text ?? ''}" from ${kind} ${id}`;
}
