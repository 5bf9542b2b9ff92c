import type { Mutant } from '../mutant.ts';

/** How one request is sent, recorded, repeated and understood. */
export const REQUESTS: readonly Mutant[] = [
  {
    name: 'lost create is repeated',
    protects: 'A create without an answer is not sent again before its end is known.',
    file: 'src/api/retry.ts',
    find: 'unsend: 1, once: 1 }',
    replace: 'unsend: 1, once: 2 }',
  },
  {
    name: 'reset counts as not sent',
    protects: 'A broken connection does not prove that nothing was sent.',
    file: 'src/api/exchange.ts',
    find: "readonly unknown[] = ['connect', 'getaddrinfo'];",
    replace: "readonly unknown[] = ['connect', 'getaddrinfo', 'read'];",
  },
  {
    name: '5xx counts as refused',
    protects: 'A 5xx does not prove that the request was not carried out.',
    file: 'src/api/exchange.ts',
    find: "return status >= 400 && status < 500 ? 'refused' : 'unconfirmed';",
    replace: "return status >= 400 ? 'refused' : 'unconfirmed';",
  },
  {
    name: '429 counts as lost',
    protects: 'A throttled request was not carried out: it waits and goes on.',
    file: 'src/api/exchange.ts',
    find: "if (status === 429) return 'throttled';",
    replace: "if (status === 429) return 'unconfirmed';",
  },
  {
    name: 'no wait after 429',
    protects: 'After a 429 the whole endpoint waits as long as the service asks.',
    file: 'src/api/retry.ts',
    find: '  ports.penalise(waitMs + RETURN_MS);\n  return waitMs;',
    replace: '  return Math.min(waitMs, 1);',
  },
  {
    name: 'unknown is closed',
    protects: 'A request without an answer stays open in the ledger.',
    file: 'src/requests/send-recorded.ts',
    find: "certain ? LEDGER_OUTCOME[exchange.kind] : 'unknown',",
    replace: "certain ? LEDGER_OUTCOME[exchange.kind] : 'refused',",
  },
  {
    name: 'lost answer is failed',
    protects: 'An outcome that is not known is never reported as failed.',
    file: 'src/apply/step-create.ts',
    find: "if (result.kind === 'unknown') return { kind: 'unknown', message: lostWords(context, result) };",
    replace:
      "if (result.kind === 'unknown') return { kind: 'failed', message: lostWords(context, result), denied: false };",
  },
  {
    name: 'intent is not flushed',
    protects: 'An intent is on the disk before its request leaves.',
    file: 'src/ledger/ledger.ts',
    find: 'await this.#writer.append(',
    replace: 'void this.#writer.append(',
  },
  {
    name: 'sent without a record',
    protects: 'What cannot be recorded is not sent.',
    file: 'src/ledger/ledger.ts',
    find: '    if (this.#problem !== null) throw new LedgerError(this.#problem);\n    this.#begun.set',
    replace: '    this.#begun.set',
  },
  {
    name: 'torn line stays',
    protects: 'A line that a crash cut short is taken out before the next one is written.',
    file: 'src/host/file-ledger-store.ts',
    find: 'await files.writeAtomically(LEDGER_PATH, upTo(file.bytesFrom(0), start));',
    replace: '',
  },
  {
    name: 'refusal after a lost copy is believed',
    protects: 'A refusal says nothing about a copy of the request that was lost before it.',
    file: 'src/api/retry.ts',
    find: "if (lost === null || last.kind === 'done' || last.kind === 'unknown') return last;",
    replace: "if (lost === null || last.kind !== 'throttled') return last;",
  },
  {
    name: 'no wait for an opposite change',
    protects: 'A status change waits until no lost copy of the opposite one can still land.',
    file: 'src/apply/step-status.ts',
    find: 'if (others.length === 0) return;\n  const lastSentMs',
    replace: 'if (others.length >= 0) return;\n  const lastSentMs',
  },
  {
    name: 'copies are not recorded',
    protects: 'Every further copy of a request is recorded, so that the window counts from the last one.',
    file: 'src/requests/send-recorded.ts',
    find: 'if (copies > 0) await ledger.leavesAgain(entry);',
    replace: 'if (copies > 0) await Promise.resolve();',
  },
  {
    name: 'no lock',
    protects: 'Two runs of one workspace never change something at the same time.',
    file: 'src/ledger/under-lease.ts',
    find: 'const lease = await leases.take();',
    replace: 'const lease: Lease = { lost: async () => null, release: async () => undefined };',
  },
  {
    name: 'a lost lock is not noticed',
    protects: 'A run whose lock another run has taken over sends nothing more.',
    file: 'src/requests/send-recorded.ts',
    find: 'const lost = await ledger.lockLost();',
    replace: 'const lost = await Promise.resolve<string | null>(null);',
  },
  {
    name: 'a request leaves however late it is',
    protects:
      'A change leaves within 5 s after its check, or not at all: the wait for its answer counts from there.',
    file: 'src/api/request.ts',
    find: 'if (!writes || waitedMs <= LEAVES_WITHIN_MS) return;',
    replace: 'if (!writes || waitedMs >= 0) return;',
  },
];
