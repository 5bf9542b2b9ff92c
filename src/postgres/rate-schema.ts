/**
 * What all processes with one token share (decision 42). The tables are unlogged: a restart of the server may forget them,
 * and a grant does not wait for the disk.
 *
 * - `rate_places`: a row for each place of a bucket. `free_at` is null from a grant to the report of its answer.
 * - `rate_waiting`: what a process could not get, so that others leave it for that process.
 * - `rate_runs`: a row for each process. One that is silent for 10 s has ended.
 *
 * `rate_exchange` takes the reports of a process and gives it grants. It runs with the rights of its owner, so a user who
 * can only read can plan at the shared rate. `at` replaces the clock in tests.
 *
 * A grant may begin up to 300 ms from now, because it then reaches the process before its place is free. Rules:
 *
 * | another process that waits for a bucket of the request | places left for it                        |
 * | ------------------------------------------------------- | ----------------------------------------- |
 * | is more urgent                                          | all that it asked for                     |
 * | is as urgent                                            | what it has got less, so they get the same |
 * | is less urgent                                          | none                                      |
 *
 * A process that has waited for 5 s counts as one step more urgent, but never as a stop.
 */
export const RATE_SCHEMA = `
CREATE UNLOGGED TABLE herald.rate_runs (
  run uuid PRIMARY KEY,
  scope text NOT NULL,
  turn bigint NOT NULL,
  urgency integer NOT NULL,
  seen_at timestamptz NOT NULL
);
CREATE UNLOGGED TABLE herald.rate_places (
  scope text NOT NULL,
  bucket text NOT NULL,
  place integer NOT NULL,
  run uuid,
  number bigint,
  starts_at timestamptz NOT NULL DEFAULT '-infinity',
  hold_ms double precision NOT NULL DEFAULT 0,
  free_at timestamptz DEFAULT '-infinity',
  blocked_until timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (scope, bucket, place)
) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE herald.rate_waiting (
  scope text NOT NULL,
  bucket text NOT NULL,
  run uuid NOT NULL,
  turn bigint NOT NULL,
  wanted integer NOT NULL,
  served bigint NOT NULL,
  since timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (scope, bucket, run)
);

CREATE FUNCTION herald.rate_rank(urgency integer, waited interval) RETURNS integer
LANGUAGE sql IMMUTABLE AS $rank$
  SELECT CASE WHEN urgency = 0 THEN 0 ELSE greatest(1, urgency - floor(extract(epoch FROM waited) / 5)::integer) END
$rank$;

CREATE FUNCTION herald.rate_exchange(message jsonb, at timestamptz DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $exchange$
DECLARE
  answered_window CONSTANT interval := interval '1001 milliseconds';
  ahead_of_time CONSTANT interval := interval '300 milliseconds';
  longest_block CONSTANT interval := interval '3 minutes';
  silent CONSTANT interval := interval '10 seconds';
  me CONSTANT uuid := (message ->> 'run')::uuid;
  this_turn CONSTANT bigint := (message ->> 'turn')::bigint;
  my_urgency CONSTANT integer := (message ->> 'urgency')::integer;
  my_scopes CONSTANT text[] := ARRAY(SELECT jsonb_array_elements_text(message -> 'scopes') ORDER BY 1);
  next_number bigint := (message ->> 'first')::bigint;
  moment timestamptz;
  last_turn bigint;
  scope_name text;
  ask integer;
  queue jsonb;
  need record;
  my_rank integer;
  my_served bigint;
  count_key text;
  left_for_others integer;
  ready timestamptz;
  starts timestamptz;
  again timestamptz;
  slow jsonb;
  full_queues integer[] := '{}';
  given jsonb := '{}';
  got jsonb := '{}';
  granted jsonb := '[]';
BEGIN
  -- Always in the same order, so that two processes cannot wait for one another.
  FOREACH scope_name IN ARRAY my_scopes LOOP
    PERFORM pg_advisory_xact_lock(7217002, hashtext(scope_name));
  END LOOP;
  moment := coalesce(at, clock_timestamp());
  SELECT r.turn INTO last_turn FROM herald.rate_runs r WHERE r.run = me;
  IF last_turn >= this_turn THEN
    RETURN jsonb_build_object('granted', granted, 'again_ms', 0);
  END IF;
  INSERT INTO herald.rate_runs (run, scope, turn, urgency, seen_at)
  VALUES (me, my_scopes[1], this_turn, my_urgency, moment)
  ON CONFLICT (run) DO UPDATE SET turn = excluded.turn, urgency = excluded.urgency, seen_at = excluded.seen_at;
  -- A clock that was set back must not keep the rows of ended processes.
  DELETE FROM herald.rate_runs r
  WHERE r.scope = my_scopes[1] AND r.seen_at NOT BETWEEN moment - silent AND moment + silent;

  UPDATE herald.rate_places p
  SET free_at = greatest(moment - make_interval(secs => a.ago_ms / 1000) + answered_window,
    p.starts_at + make_interval(secs => p.hold_ms / 1000))
  FROM jsonb_to_recordset(message -> 'answered') AS a (number bigint, ago_ms double precision)
  WHERE p.scope = ANY (my_scopes) AND p.run = me AND p.number = a.number AND p.free_at IS NULL;
  -- Before its begin, the place of an unused grant belongs to the request before.
  UPDATE herald.rate_places p SET free_at = p.starts_at
  WHERE p.scope = ANY (my_scopes) AND p.run = me AND p.free_at IS NULL
    AND (p.number >= next_number OR p.number IN (SELECT jsonb_array_elements_text(message -> 'unused')::bigint));
  UPDATE herald.rate_places p SET free_at = greatest(p.starts_at, moment)
  WHERE p.scope = ANY (my_scopes) AND p.free_at IS NULL
    AND NOT EXISTS (SELECT FROM herald.rate_runs r
      WHERE r.run = p.run AND r.seen_at BETWEEN moment - silent AND moment + silent);
  -- No time is later than a clock allows that was not set back.
  UPDATE herald.rate_places p
  SET free_at = least(p.free_at, moment + answered_window + make_interval(secs => p.hold_ms / 1000)),
    starts_at = least(p.starts_at, moment + ahead_of_time), blocked_until = least(p.blocked_until, moment + longest_block)
  WHERE p.scope = ANY (my_scopes) AND (p.starts_at > moment + ahead_of_time OR p.blocked_until > moment + longest_block
    OR p.free_at > moment + answered_window + make_interval(secs => p.hold_ms / 1000));
  UPDATE herald.rate_places p
  SET blocked_until = greatest(p.blocked_until, moment + make_interval(secs => b.ms / 1000))
  FROM jsonb_to_recordset(message -> 'blocked') AS b (scope text, bucket text, ms double precision)
  WHERE p.scope = b.scope AND p.bucket = b.bucket;

  IF (message ->> 'leaves')::boolean THEN
    DELETE FROM herald.rate_runs r WHERE r.run = me;
    DELETE FROM herald.rate_waiting w WHERE w.scope = ANY (my_scopes) AND (w.run = me OR w.ends_at < moment - silent);
    DELETE FROM herald.rate_places p
    WHERE p.scope = ANY (my_scopes) AND p.free_at < moment AND p.blocked_until < moment;
    RETURN jsonb_build_object('granted', granted, 'again_ms', NULL);
  END IF;

  INSERT INTO herald.rate_places (scope, bucket, place)
  SELECT DISTINCT b.scope, b.bucket, generate_series(1, b.places)
  FROM jsonb_array_elements(message -> 'queues') AS q (queue),
    jsonb_to_recordset(q.queue -> 'buckets') AS b (scope text, bucket text, places integer)
  ON CONFLICT DO NOTHING;

  FOR ask IN
    SELECT a.ask::integer FROM jsonb_array_elements_text(message -> 'asks') WITH ORDINALITY AS a (ask, nth) ORDER BY nth
  LOOP
    CONTINUE WHEN ask = ANY (full_queues);
    queue := message -> 'queues' -> ask;
    starts := moment;
    slow := '[]';
    FOR need IN
      SELECT * FROM jsonb_to_recordset(queue -> 'buckets') AS b (scope text, bucket text, places integer, hold_ms double precision)
    LOOP
      count_key := need.scope || ' ' || need.bucket;
      -- One that begins to wait has been served as often as the others, so that it has to catch up nothing.
      SELECT herald.rate_rank(my_urgency, moment - coalesce(min(w.since) FILTER (WHERE w.run = me), moment)),
        coalesce(min(w.served) FILTER (WHERE w.run = me), min(w.served) FILTER (WHERE w.ends_at > moment), 0)
        + coalesce((given ->> count_key)::integer, 0)
      INTO my_rank, my_served
      FROM herald.rate_waiting w WHERE w.scope = need.scope AND w.bucket = need.bucket;
      SELECT coalesce(sum(CASE
          WHEN o.rank < my_rank THEN least(o.wanted, need.places)
          WHEN o.rank = my_rank THEN least(o.wanted, greatest(0, my_served - o.served + (o.run < me)::integer))
          ELSE 0 END), 0) INTO left_for_others
      FROM (SELECT w.wanted, w.run, w.served, herald.rate_rank(r.urgency, moment - w.since) AS rank
        FROM herald.rate_waiting w JOIN herald.rate_runs r ON r.run = w.run
        WHERE w.scope = need.scope AND w.bucket = need.bucket AND w.run <> me AND w.ends_at > moment) AS o;
      ready := NULL;
      -- A place without an answer cannot be free before the window is over.
      SELECT greatest(moment, p.blocked_until, coalesce(p.free_at, moment + answered_window)) AS free INTO ready
      FROM herald.rate_places p
      WHERE p.scope = need.scope AND p.bucket = need.bucket AND p.place <= need.places
      ORDER BY free OFFSET left_for_others LIMIT 1;
      ready := coalesce(ready, moment + answered_window);
      starts := greatest(starts, ready);
      IF ready > moment + ahead_of_time THEN
        slow := slow || jsonb_build_object('scope', need.scope, 'bucket', need.bucket, 'served', my_served);
      END IF;
    END LOOP;

    IF starts > moment + ahead_of_time THEN
      full_queues := full_queues || ask;
      again := least(again, starts - ahead_of_time);
      INSERT INTO herald.rate_waiting AS w (scope, bucket, run, turn, wanted, served, since, ends_at)
      SELECT s.scope, s.bucket, me, this_turn, (queue ->> 'waiting')::integer - coalesce((got ->> ask::text)::integer, 0),
        s.served, moment, starts - ahead_of_time + interval '1 second'
      FROM jsonb_to_recordset(slow) AS s (scope text, bucket text, served bigint)
      ON CONFLICT (scope, bucket, run) DO UPDATE SET
        turn = excluded.turn,
        wanted = excluded.wanted + CASE WHEN w.turn = excluded.turn THEN w.wanted ELSE 0 END,
        served = excluded.served,
        since = CASE WHEN excluded.served > w.served THEN moment ELSE w.since END,
        ends_at = CASE WHEN w.turn = excluded.turn THEN greatest(w.ends_at, excluded.ends_at) ELSE excluded.ends_at END;
      CONTINUE;
    END IF;

    -- The place that is free last before the begin: an earlier one can serve another request.
    FOR need IN
      SELECT * FROM jsonb_to_recordset(queue -> 'buckets') AS b (scope text, bucket text, places integer, hold_ms double precision)
    LOOP
      UPDATE herald.rate_places t
      SET run = me, number = next_number, starts_at = starts, hold_ms = need.hold_ms, free_at = NULL
      WHERE t.scope = need.scope AND t.bucket = need.bucket AND t.place = (
        SELECT p.place FROM herald.rate_places p
        WHERE p.scope = need.scope AND p.bucket = need.bucket AND p.place <= need.places AND p.free_at IS NOT NULL
          AND greatest(p.blocked_until, p.free_at) <= starts
        ORDER BY p.free_at DESC LIMIT 1);
      count_key := need.scope || ' ' || need.bucket;
      given := given || jsonb_build_object(count_key, coalesce((given ->> count_key)::integer, 0) + 1);
    END LOOP;
    got := got || jsonb_build_object(ask::text, coalesce((got ->> ask::text)::integer, 0) + 1);
    granted := granted || jsonb_build_object('queue', ask, 'number', next_number,
      'in_ms', (extract(epoch FROM starts - moment) * 1000)::double precision);
    next_number := next_number + 1;
  END LOOP;

  DELETE FROM herald.rate_waiting w WHERE w.run = me AND w.turn < this_turn;
  RETURN jsonb_build_object('granted', granted,
    'again_ms', CASE WHEN again IS NOT NULL
      THEN (extract(epoch FROM greatest(again, moment) - moment) * 1000)::double precision END);
END
$exchange$;
`;
