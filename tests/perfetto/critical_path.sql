INCLUDE PERFETTO MODULE sched.thread_executing_span
;;
-- its path: spans of threads
SELECT cp.utid AS utid, MAX(cp.ts, @FROM@) AS begin, MIN(cp.ts + cp.dur, @TO@) AS end
FROM _thread_executing_span_critical_path(@UTID@, @FROM@, @TO@ - @FROM@) cp
WHERE cp.ts < @TO@ AND cp.ts + cp.dur > @FROM@ ORDER BY cp.ts
;;
-- what it walks along
SELECT ts.utid AS utid, t.tid AS tid, ts.ts AS begin, IIF(ts.dur = -1, trace_end(), ts.ts + ts.dur) AS end,
  ts.state AS state, ts.irq_context AS irq, ts.waker_utid AS waker
FROM thread_state ts JOIN thread t USING (utid) WHERE t.tid > 0 ORDER BY ts.utid, ts.ts
