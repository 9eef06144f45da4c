-- The feed's choice: open tasks that suit a worker, in one of its orders, from where the last page ended.
--
-- Tasks in reach are in the cells that the worker's circle touches; where one does not lie in the circle whole
-- (p_is_inner), distances are looked at. Two steps: some of the best of each cell that is mostly in the circle
-- (p_is_sampled) give a bound that enough tasks reach; then every cell is read no further than that bound. So a dense
-- city costs a few hundred rows, however many tasks it has, and a cell of which the circle only touches a corner is
-- not read to its end.
--
-- The plans are fixed, because the planner can't know that a limit is small or that a cell holds a whole city.

-- Inlined into the queries below.
create or replace function open_tasks_suits(
  o open_tasks, p_now timestamptz, p_level smallint, p_skill_keys integer[], p_types task_type[], p_pay_min bigint,
  p_muted text[]
) returns boolean language sql stable as $$
  select o.level_needed <= p_level and o.pay_cents >= p_pay_min and o.deadline > p_now
     and (p_types is null or o.type = any(p_types))
     and o.skill_keys <@ p_skill_keys and o.agent_id <> all(p_muted)
$$;

-- Great-circle distance, as distanceKm of places/cells.ts. Inlined, too.
create or replace function open_tasks_km(
  lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision
) returns double precision language sql immutable as $$
  -- Asked for, because least() takes a null for nothing.
  select case when lat1 is not null and lat2 is not null then
    2 * 6371.0088 * asin(least(1, sqrt(
      sin(radians(lat2 - lat1) / 2) * sin(radians(lat2 - lat1) / 2) + cos(radians(lat1)) * cos(radians(lat2))
      * sin(radians(lng2 - lng1) / 2) * sin(radians(lng2 - lng1) / 2)))) end
$$;

-- As the column northing.
create or replace function open_tasks_northing(p_lat double precision) returns double precision
language sql immutable as $$
  select degrees(ln(tan(radians(45 + greatest(least(p_lat, 89.9), -89.9) / 2))))
$$;

-- What a circle on the Earth lies in on Mercator's map. Around a pole that is every longitude; across the date line
-- it sticks out of the map, and the map's next copy, 360 degrees on, has the rest.
create or replace function open_tasks_box(
  p_lat double precision, p_lng double precision, p_km double precision
) returns box language sql immutable as $$
  select box(point(p_lng - width, open_tasks_northing(p_lat - height)),
             point(p_lng + width, open_tasks_northing(p_lat + height)))
    from (select degrees(p_km / 6371.0088) * 1.000001 + 0.000001 as height) h,
 lateral (select case when abs(p_lat) + height >= 89 then 360
                      else degrees(asin(least(1, sin(radians(height)) / cos(radians(p_lat))))) * 1.000001
                 end as width) w
$$;

-- The newest of them, with ids from p_from to before p_before. Without cells, wherever they are.
create or replace function open_tasks_newest(
  p_resolution integer, p_cells bigint[], p_is_inner boolean[], p_is_sampled boolean[],
  p_from text, p_before text,
  p_limit integer, p_lat double precision, p_lng double precision, p_radius_km double precision,
  p_now timestamptz, p_level smallint, p_skill_keys integer[], p_types task_type[], p_pay_min bigint, p_worker text,
  p_muted text[]
) returns table (task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint,
                 skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
-- A cell is taken for a row or two, and sorting them for nothing: then any index would do. So none is sorted that an
-- index can bring in order.
set enable_sort = off set enable_incremental_sort = off
as $$
#variable_conflict use_column
declare
  -- What the worker has had to do with is not shown again. An array, because a join would make the planner sort.
  v_mine text[] := array(
    select a.task_id from assignments a where a.worker_id = p_worker and a.deadline > p_now
    union all
    (select r.task_id from task_reports r where r.worker_id = p_worker and r.verdict is null limit 500));
  -- As many more, so that enough are left when those are out: they are looked for among the last few rows only.
  v_limit integer := p_limit + cardinality(v_mine);
  -- Twice as many in all as it takes, so that a cell with more than its share does not make the bound a poor one.
  v_per_cell integer := 2 * v_limit / greatest(1, cardinality(array_positions(p_is_sampled, true))) + 1;
begin
  if p_resolution = 5 then
    return query
      with bound as materialized (
        select case when count(*) = v_limit then min(task_id) else p_from end as task_id from (
          select x.task_id from unnest(p_cells, p_is_inner, p_is_sampled) c(cell, is_inner, is_sampled)
           cross join lateral (
            select o.task_id from open_tasks o
             where o.cell5 = c.cell and o.task_id >= p_from and o.task_id < p_before
               and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
               and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
             order by o.task_id desc limit v_per_cell) x
           where c.is_sampled order by task_id desc limit v_limit) best
      )
      select x.* from unnest(p_cells, p_is_inner) c(cell, is_inner) cross join lateral (
        select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
               date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
          from open_tasks o
         where o.cell5 = c.cell and o.task_id >= (select task_id from bound) and o.task_id < p_before
           and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
           and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
         order by o.task_id desc limit v_limit) x
       where x.task_id <> all(v_mine) order by task_id desc limit p_limit;
  elsif p_resolution = 6 then
    return query
      with bound as materialized (
        select case when count(*) = v_limit then min(task_id) else p_from end as task_id from (
          select x.task_id from unnest(p_cells, p_is_inner, p_is_sampled) c(cell, is_inner, is_sampled)
           cross join lateral (
            select o.task_id from open_tasks o
             where o.cell6 = c.cell and o.task_id >= p_from and o.task_id < p_before
               and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
               and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
             order by o.task_id desc limit v_per_cell) x
           where c.is_sampled order by task_id desc limit v_limit) best
      )
      select x.* from unnest(p_cells, p_is_inner) c(cell, is_inner) cross join lateral (
        select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
               date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
          from open_tasks o
         where o.cell6 = c.cell and o.task_id >= (select task_id from bound) and o.task_id < p_before
           and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
           and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
         order by o.task_id desc limit v_limit) x
       where x.task_id <> all(v_mine) order by task_id desc limit p_limit;
  elsif p_resolution = 7 then
    return query
      with bound as materialized (
        select case when count(*) = v_limit then min(task_id) else p_from end as task_id from (
          select x.task_id from unnest(p_cells, p_is_inner, p_is_sampled) c(cell, is_inner, is_sampled)
           cross join lateral (
            select o.task_id from open_tasks o
             where o.cell7 = c.cell and o.task_id >= p_from and o.task_id < p_before
               and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
               and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
             order by o.task_id desc limit v_per_cell) x
           where c.is_sampled order by task_id desc limit v_limit) best
      )
      select x.* from unnest(p_cells, p_is_inner) c(cell, is_inner) cross join lateral (
        select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
               date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
          from open_tasks o
         where o.cell7 = c.cell and o.task_id >= (select task_id from bound) and o.task_id < p_before
           and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
           and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
         order by o.task_id desc limit v_limit) x
       where x.task_id <> all(v_mine) order by task_id desc limit p_limit;
  else
    return query
      select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
             date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
        from open_tasks o
       where o.task_id >= p_from and o.task_id < p_before
         and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted) and o.task_id <> all(v_mine)
       order by o.task_id desc limit p_limit;
  end if;
end
$$;

-- Those that pay most, after the one that pays p_before_cents and has the id p_before.
create or replace function open_tasks_best_paid(
  p_resolution integer, p_cells bigint[], p_is_inner boolean[], p_is_sampled boolean[],
  p_before_cents bigint, p_before text,
  p_limit integer, p_lat double precision, p_lng double precision, p_radius_km double precision,
  p_now timestamptz, p_level smallint, p_skill_keys integer[], p_types task_type[], p_pay_min bigint, p_worker text,
  p_muted text[]
) returns table (task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint,
                 skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
set enable_sort = off set enable_incremental_sort = off
as $$
#variable_conflict use_column
declare
  -- What the worker has had to do with is not shown again. An array, because a join would make the planner sort.
  v_mine text[] := array(
    select a.task_id from assignments a where a.worker_id = p_worker and a.deadline > p_now
    union all
    (select r.task_id from task_reports r where r.worker_id = p_worker and r.verdict is null limit 500));
  -- As many more, so that enough are left when those are out: they are looked for among the last few rows only.
  v_limit integer := p_limit + cardinality(v_mine);
  -- Twice as many in all as it takes, so that a cell with more than its share does not make the bound a poor one.
  v_per_cell integer := 2 * v_limit / greatest(1, cardinality(array_positions(p_is_sampled, true))) + 1;
begin
  if p_resolution = 5 then
    return query
      with bound as materialized (
        select case when count(*) = v_limit then min(pay_cents) else 0 end as pay_cents from (
          select x.pay_cents, x.task_id from unnest(p_cells, p_is_inner, p_is_sampled) c(cell, is_inner, is_sampled)
           cross join lateral (
            select o.pay_cents, o.task_id from open_tasks o
             where o.cell5 = c.cell and (o.pay_cents, o.task_id) < (p_before_cents, p_before)
               and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
               and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
             order by o.pay_cents desc, o.task_id desc limit v_per_cell) x
           where c.is_sampled order by pay_cents desc, task_id desc limit v_limit) best
      )
      select x.* from unnest(p_cells, p_is_inner) c(cell, is_inner) cross join lateral (
        select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
               date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
          from open_tasks o
         where o.cell5 = c.cell and o.pay_cents >= (select pay_cents from bound)
           and (o.pay_cents, o.task_id) < (p_before_cents, p_before)
           and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
           and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
         order by o.pay_cents desc, o.task_id desc limit v_limit) x
       where x.task_id <> all(v_mine) order by pay_cents desc, task_id desc limit p_limit;
  elsif p_resolution = 6 then
    return query
      with bound as materialized (
        select case when count(*) = v_limit then min(pay_cents) else 0 end as pay_cents from (
          select x.pay_cents, x.task_id from unnest(p_cells, p_is_inner, p_is_sampled) c(cell, is_inner, is_sampled)
           cross join lateral (
            select o.pay_cents, o.task_id from open_tasks o
             where o.cell6 = c.cell and (o.pay_cents, o.task_id) < (p_before_cents, p_before)
               and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
               and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
             order by o.pay_cents desc, o.task_id desc limit v_per_cell) x
           where c.is_sampled order by pay_cents desc, task_id desc limit v_limit) best
      )
      select x.* from unnest(p_cells, p_is_inner) c(cell, is_inner) cross join lateral (
        select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
               date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
          from open_tasks o
         where o.cell6 = c.cell and o.pay_cents >= (select pay_cents from bound)
           and (o.pay_cents, o.task_id) < (p_before_cents, p_before)
           and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
           and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
         order by o.pay_cents desc, o.task_id desc limit v_limit) x
       where x.task_id <> all(v_mine) order by pay_cents desc, task_id desc limit p_limit;
  elsif p_resolution = 7 then
    return query
      with bound as materialized (
        select case when count(*) = v_limit then min(pay_cents) else 0 end as pay_cents from (
          select x.pay_cents, x.task_id from unnest(p_cells, p_is_inner, p_is_sampled) c(cell, is_inner, is_sampled)
           cross join lateral (
            select o.pay_cents, o.task_id from open_tasks o
             where o.cell7 = c.cell and (o.pay_cents, o.task_id) < (p_before_cents, p_before)
               and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
               and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
             order by o.pay_cents desc, o.task_id desc limit v_per_cell) x
           where c.is_sampled order by pay_cents desc, task_id desc limit v_limit) best
      )
      select x.* from unnest(p_cells, p_is_inner) c(cell, is_inner) cross join lateral (
        select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
               date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
          from open_tasks o
         where o.cell7 = c.cell and o.pay_cents >= (select pay_cents from bound)
           and (o.pay_cents, o.task_id) < (p_before_cents, p_before)
           and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
           and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
         order by o.pay_cents desc, o.task_id desc limit v_limit) x
       where x.task_id <> all(v_mine) order by pay_cents desc, task_id desc limit p_limit;
  else
    return query
      select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
             date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
        from open_tasks o
       where (o.pay_cents, o.task_id) < (p_before_cents, p_before)
         and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted) and o.task_id <> all(v_mine)
       order by o.pay_cents desc, o.task_id desc limit p_limit;
  end if;
end
$$;

-- The nearest, after the one at p_after_km with the id p_after; those without a place come last, the newest first, from
-- before p_before. An index can only walk outwards on the map, where distances are not quite those on the Earth. So its
-- first p_limit tasks only tell how far to look: no task that is nearer than the farthest of them is left out.
create or replace function open_tasks_nearest(
  p_after_km double precision, p_after text, p_before text,
  p_limit integer, p_lat double precision, p_lng double precision, p_radius_km double precision,
  p_now timestamptz, p_level smallint, p_skill_keys integer[], p_types task_type[], p_pay_min bigint, p_worker text,
  p_muted text[]
) returns table (task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint,
                 skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
declare
  -- What the worker has had to do with is not shown again. An array, because a join would make the planner sort.
  v_mine text[] := array(
    select a.task_id from assignments a where a.worker_id = p_worker and a.deadline > p_now
    union all
    (select r.task_id from task_reports r where r.worker_id = p_worker and r.verdict is null limit 500));
  v_reach box := open_tasks_box(p_lat, p_lng, p_radius_km);
  v_shift double precision[] := array[0.0];
  v_found text[];
  v_reach_km double precision;
  v_count integer := 0;
begin
  if p_after_km is not null then
    -- Both when it holds a pole: then it is as wide as the map.
    if (v_reach[0])[0] > 180 and (v_reach[1])[0] >= -180 then v_shift := array[0.0, -360.0];
    elsif (v_reach[1])[0] < -180 and (v_reach[0])[0] <= 180 then v_shift := array[0.0, 360.0];
    end if;

    select array_agg(x.task_id), max(x.km) into v_found, v_reach_km
      from unnest(v_shift) s(shift) cross join lateral (
        select o.task_id, open_tasks_km(p_lat, p_lng, o.lat, o.lng) as km from open_tasks o
         where o.lat is not null and point(o.lng, o.northing) <@ open_tasks_box(p_lat, p_lng + s.shift, p_radius_km)
           and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
           and o.task_id <> all(v_mine)
           and open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km
           and (open_tasks_km(p_lat, p_lng, o.lat, o.lng), o.task_id) > (p_after_km, p_after)
         order by point(o.lng, o.northing) <-> point(p_lng + s.shift, open_tasks_northing(p_lat)) limit p_limit) x;

    if cardinality(v_found) < p_limit then
      return query
        select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
               date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng) as km
          from open_tasks o where o.task_id = any(v_found)
         order by km, o.task_id;
    else
      return query
        select x.* from unnest(v_shift) s(shift) cross join lateral (
          select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
                 date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng) as km
            from open_tasks o
           where o.lat is not null and point(o.lng, o.northing) <@ open_tasks_box(p_lat, p_lng + s.shift, v_reach_km)
             and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
             and o.task_id <> all(v_mine)
             and open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= v_reach_km
             and (open_tasks_km(p_lat, p_lng, o.lat, o.lng), o.task_id) > (p_after_km, p_after)) x
         order by x.km, x.task_id limit p_limit;
    end if;
    get diagnostics v_count = row_count;
  end if;

  if v_count < p_limit then
    return query
      select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
             date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
        from open_tasks o
       where o.cell6 = 0 and o.task_id < p_before and o.task_id <> all(v_mine)
         and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
       order by o.task_id desc limit p_limit - v_count;
  end if;
end
$$;
