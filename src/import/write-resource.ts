import type { KnownWords } from '../domain/known-words.ts';
import type { Observed } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import type { Form, Importable } from './form.ts';
import { writtenTime } from './instant.ts';
import { leaveOut, type LeftOut } from './left-out.ts';
import { refusalOf } from './loader-refusal.ts';
import { NotExpressible } from './not-expressible.ts';
import { writeAudience } from './write-audience.ts';
import { writeMessages } from './write-messages.ts';
import { writeRules } from './write-rules.ts';

/**
 * What a file says of a live object, or why none can. The object is one that `chooseImportable` chose. One that is
 * on record as protected stays so: declared without the line it would lose its protection.
 */
export function writeResource(
  object: Observed,
  nowMs: number,
  known: KnownWords,
  isProtected = false,
): { readonly importable: Importable } | { readonly leftOut: LeftOut } {
  try {
    const importable = write(object, nowMs, isProtected);
    const refusal = refusalOf(object.kind, importable.form, known);
    if (refusal !== null) return { leftOut: leaveOut(object, 'not-expressible', refusal) };
    return { importable };
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
    return { leftOut: leaveOut(object, error.code, error.message) };
  }
}

function write(object: Observed, nowMs: number, isProtected: boolean): Importable {
  const { account, accountId, kind, live } = object;
  const name = live.name ?? '';
  const rules = writeRules(kind, live.rules ?? {});
  const audience = writeAudience(live.audience_filters ?? [], nowMs);
  const messages = writeMessages(live.messages ?? []);
  const form: Form = {
    name,
    ...(isPaused(live) ? { status: 'paused' } : {}),
    ...(isProtected ? { protect: true } : {}),
    ...headOf(object),
    ...(rules === null ? {} : { rules }),
    ...audience.form,
    ...(messages.length === 0 ? {} : { messages }),
  };
  const hasIds = messages.some(
    (message) => 'attachments' in message || 'tagged_platform_account_ids' in message,
  );
  return {
    account,
    accountId,
    kind,
    name,
    liveId: live.id,
    form,
    marks: audience.marks,
    // What the service does not show may be another on every account.
    belongsToAccount: hasIds || audience.marks.length > 0,
  };
}

function headOf(object: Observed): Form {
  if (object.kind === 'broadcast') {
    const { scheduled_at: at, scheduled_at_timezone: zone } = object.live;
    return writtenTime('scheduled_at', at ?? '', zone);
  }
  return { trigger: object.live.trigger ?? '', action: object.live.action ?? '' };
}
