import type { Exchange } from '../delivery.ts';
import type { FaultOf } from '../fault-shape.ts';
import { matchPutFault } from '../faults.ts';
import { isoTime } from '../records.ts';
import type { World } from '../world.ts';
import { admitPut, type Admitted } from './admit-put.ts';
import { readPresigned } from './presigned.ts';
import type { PutRecord, Stored } from './state.ts';
import type { StorageEngine, StorageRequest } from './storage-ports.ts';
import { StoreRefusal } from './store-refusal.ts';
import { takeBody } from './take-body.ts';

/** At twice this number the oldest half of the log is dropped. */
const PUT_LOG_MAX = 100_000;

/**
 * The object store behind the presigned addresses, on its own host and without a key of the service. It stores
 * only digest and size of large bodies.
 */
export async function answerPut(engine: StorageEngine, request: StorageRequest): Promise<Exchange> {
  engine.catchUp();
  const record = openRecord(engine.world, request);
  const exchange = await exchangeOf(engine, request, record);
  if ('status' in exchange) record.status = exchange.status;
  return exchange;
}

async function exchangeOf(
  engine: StorageEngine,
  request: StorageRequest,
  record: PutRecord,
): Promise<Exchange> {
  const { world } = engine;
  try {
    const admitted = admitPut(world, request);
    record.account_id = admitted.accountId;
    const fault = matchPutFault(world, { account_id: admitted.accountId, part: admitted.part.id });
    record.fault = fault?.how ?? null;
    return earlyEnd(fault) ?? (await store(engine, request, record, admitted, fault));
  } catch (error) {
    if (error instanceof StoreRefusal) return refused(error);
    throw error;
  }
}

type StorageFault = FaultOf<'storage'>;

/** The answer to a put that ends before its first byte. */
function earlyEnd(fault: StorageFault | undefined): Exchange | null {
  switch (fault?.how) {
    case 'unavailable':
      return refused(new StoreRefusal(503, 'SlowDown', 'Please reduce your request rate.'));
    case 'refused':
      return { kind: 'refused' };
    case 'expired':
      return refused(new StoreRefusal(403, 'AccessDenied', 'Request has expired'));
    case 'redirect':
      return { kind: 'reply', status: 307, headers: { location: 'http://elsewhere.invalid/' }, body: null };
    default:
      return null;
  }
}

async function store(
  engine: StorageEngine,
  request: StorageRequest,
  record: PutRecord,
  { upload, part, length }: Admitted,
  fault: StorageFault | undefined,
): Promise<Exchange> {
  const stopAt = stopOf(fault, length);
  const taken = await takeBody(engine, request, record, {
    length,
    stopAt,
    place: { key: upload.key, part: part.id },
  });
  if (taken === null) return { kind: fault?.how === 'stall' ? 'never' : 'reset' };
  // A repeated body replaces the first, as in object stores.
  part.stored = taken;
  if (fault?.how === 'lost_answer') return { kind: 'reset' };
  if (fault?.how === 'slow') await engine.clock.sleep(fault.delay_ms, request.signal);
  return stored(taken, fault?.how !== 'missing_etag');
}

/** The number of bytes after which a fault stops reading; null for none. */
function stopOf(fault: StorageFault | undefined, length: number): number | null {
  if (fault?.how !== 'reset' && fault?.how !== 'stall') return null;
  return Math.min(fault.after_bytes ?? Math.ceil(length / 2), length);
}

function stored({ e_tag }: Stored, withTag: boolean): Exchange {
  return { kind: 'reply', status: 200, headers: withTag ? { etag: e_tag } : {}, body: null };
}

/** Assumed: the store explains errors in XML, as object stores do (VAULT-6). */
function refused({ status, code, message }: StoreRefusal): Exchange {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { kind: 'reply', status, headers: { 'content-type': 'application/xml' }, body };
}

function openRecord(world: World, { method, url, header }: StorageRequest): PutRecord {
  const { storage } = world;
  const { key, part } = readPresigned(new URL(url, storage.baseUrl));
  const length = Number.parseInt(header('content-length') ?? '', 10);
  const record: PutRecord = {
    put: storage.nextPut++,
    at: isoTime(world.nowMs),
    method,
    account_id: null,
    key,
    part,
    length: Number.isNaN(length) ? null : length,
    received: 0,
    status: null,
    fault: null,
    auth_header_seen: header(world.authHeader) !== null,
  };
  storage.puts.push(record);
  if (storage.puts.length >= 2 * PUT_LOG_MAX) storage.puts.splice(0, PUT_LOG_MAX);
  return record;
}
