-- Sends POST /tasks/:id/approve once per task, each with its own Idempotency-Key. LEGWORK_TASKS is a file with one task
-- id and its agent's key per line.
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
