-- One POST /tasks/:id/approve per request, each with its own Idempotency-Key, each task once. LEGWORK_TASKS is a file
-- with a task's id and its agent's key a line.
local tasks = {}
for line in io.lines(os.getenv('LEGWORK_TASKS')) do tasks[#tasks + 1] = line end
local sent = 0

request = function()
  sent = sent + 1
  local id, key = tasks[sent]:match('(%S+) (%S+)')
  return wrk.format('POST', '/api/v1/tasks/' .. id .. '/approve', {
    ['content-type'] = 'application/json',
    ['authorization'] = 'Bearer ' .. key,
    ['idempotency-key'] = 'approve-' .. id,
  }, '{}')
end

done = function(summary, latency)
  io.write(string.format('RESULT %d %d %d %d %d %d\n', summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
