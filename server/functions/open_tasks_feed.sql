-- The feed's queries: open tasks that suit a worker, in one of three orders, from where the last page ended.
-- home: feed

-- Whether a worker may see a task, apart from distance. The planner inlines it.
create or replace function open_tasks_suits(
  o open_tasks, p_now timestamptz, p_level smallint, p_skill_keys integer[], p_types task_type[], p_pay_min bigint,
  p_muted text[]
) returns boolean language sql stable as $$
  select o.level_needed <= p_level and o.pay_cents >= p_pay_min and o.deadline > p_now
     and (p_types is null or o.type = any(p_types))
     and o.skill_keys <@ p_skill_keys and o.agent_id <> all(p_muted)
$$;

-- Great-circle distance, same as distanceKm in server/src/places/cells.ts. The planner inlines it.
create or replace function open_tasks_km(
  lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision
) returns double precision language sql immutable as $$
  -- Without this check, least() would ignore a null and return 1.
  select case when lat1 is not null and lat2 is not null then
    2 * 6371.0088 * asin(least(1, sqrt(
      sin(radians(lat2 - lat1) / 2) * sin(radians(lat2 - lat1) / 2) + cos(radians(lat1)) * cos(radians(lat2))
      * sin(radians(lng2 - lng1) / 2) * sin(radians(lng2 - lng1) / 2)))) end
$$;

-- The Mercator latitude, same as the column open_tasks.northing.
create or replace function open_tasks_northing(p_lat double precision) returns double precision
language sql immutable as $$
  select degrees(ln(tan(radians(45 + greatest(least(p_lat, 89.9), -89.9) / 2))))
$$;

-- The bounding box of a circle on the Mercator map. Around a pole it spans every longitude. Across the date line it
-- extends past ±180 degrees; its remainder is found by shifting it by 360 degrees.
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

-- feed_newest returns the newest tasks, with ids from p_from to before p_before. feed_best_paid returns the best-paid
-- tasks, after the one that pays p_before_cents and has the id p_before. Neither returns tasks in p_hidden.
--
-- Both read the cells that the worker's circle overlaps (p_cells) in two steps. First, they read the top tasks of the
-- cells whose centers lie in the circle (p_is_sampled): the page can't end below the last of these. Then they read each
-- cell down to this bound. So a dense city costs a few hundred index rows, however many tasks it has. Distances are
-- computed only in cells that lie partly outside the circle (not p_is_inner). A null p_resolution means everywhere.
--
-- One template generates both functions: each order has its own sort key and cursor, each resolution has its own column
-- and index, and a query can't take a column as a parameter. A static union of the three columns and everywhere took 14
-- to 24 % more CPU with a place and twice as much without, probably because every call initializes the scans of all.
do $generate$
declare
  v_orders constant jsonb := $json$[
    {"name": "feed_newest", "cursor": "p_from text, p_before text",
     "key": "task_id", "lowest": "p_from", "is_after_cursor": "o.task_id < p_before", "order": "o.task_id desc"},
    {"name": "feed_best_paid", "cursor": "p_before_cents bigint, p_before text",
     "key": "pay_cents", "lowest": "0", "is_after_cursor": "(o.pay_cents, o.task_id) < (p_before_cents, p_before)",
     "order": "o.pay_cents desc, o.task_id desc"}
  ]$json$;

  v_template constant text := $template$
create or replace function {name}(
  p_resolution integer, p_cells bigint[], p_is_inner boolean[], p_is_sampled boolean[],
  {cursor},
  p_limit integer, p_lat double precision, p_lng double precision, p_radius_km double precision,
  p_now timestamptz, p_level smallint, p_skill_keys integer[], p_types task_type[], p_pay_min bigint,
  p_hidden text[], p_muted text[]
) returns table (task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint,
                 skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision)
language plpgsql stable
-- The planner can't know that a limit is small or that a cell contains a whole city. It expects a row or two per cell,
-- which any index could find and a sort could order. These settings make it use the index that has the order.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
set enable_sort = off set enable_incremental_sort = off
as $function$
#variable_conflict use_column
declare
  -- Hidden tasks are removed at the end, when only these few rows are left.
  v_limit integer := p_limit + cardinality(p_hidden);
  -- Twice the limit in total, so that the bound is still close when a few cells have most of the top tasks.
  v_per_cell integer := 2 * v_limit / greatest(1, cardinality(array_positions(p_is_sampled, true))) + 1;
begin
  if p_resolution is null then
    return query
      select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
             date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
        from open_tasks o
       where o.{key} >= {lowest} and {is_after_cursor}
         and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
         and o.task_id <> all(p_hidden)
       order by {order} limit p_limit;
  {branches}
  end if;
end
$function$
$template$;

  v_branch constant text := $template$
  elsif p_resolution = {resolution} then
    return query
      with bound as materialized (
        select case when count(*) = v_limit then min(o.{key}) else {lowest} end as {key} from (
          select o.* from unnest(p_cells, p_is_inner, p_is_sampled) c(cell, is_inner, is_sampled)
           cross join lateral (
            select o.pay_cents, o.task_id from open_tasks o
             where o.cell{resolution} = c.cell and o.{key} >= {lowest} and {is_after_cursor}
               and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
               and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
             order by {order} limit v_per_cell) o
           where c.is_sampled order by {order} limit v_limit) o
      )
      select o.* from unnest(p_cells, p_is_inner) c(cell, is_inner) cross join lateral (
        select o.task_id, o.agent_id, o.type, o.pay_cents, o.level_needed, cardinality(o.skill_keys),
               date_part('epoch', o.deadline) * 1000, o.paid_chance, open_tasks_km(p_lat, p_lng, o.lat, o.lng)
          from open_tasks o
         where o.cell{resolution} = c.cell and o.{key} >= (select {key} from bound) and {is_after_cursor}
           and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
           and (c.is_inner or open_tasks_km(p_lat, p_lng, o.lat, o.lng) <= p_radius_km)
         order by {order} limit v_limit) o
       where o.task_id <> all(p_hidden) order by {order} limit p_limit;
$template$;

  v_branches constant text := (
    select string_agg(replace(v_branch, '{resolution}', resolution), '') from unnest(array['5', '6', '7']) resolution);
  v_order jsonb;
  v_function text;
  v_placeholder text;
  v_text text;
begin
  for v_order in select jsonb_array_elements(v_orders) loop
    v_function := replace(v_template, '{branches}', v_branches);
    for v_placeholder, v_text in select * from jsonb_each_text(v_order) loop
      v_function := replace(v_function, '{' || v_placeholder || '}', v_text);
    end loop;
    execute v_function;
  end loop;
end
$generate$;

-- The nearest tasks, after the one at p_after_km with the id p_after; then tasks without a place, newest first, from
-- before the id p_before. A null p_after_km means that the last page ended among the latter.
--
-- The index returns tasks by their distance on the Mercator map, which is not quite their order on the Earth. So the
-- first p_limit tasks only give a bound: the second step reads all tasks that are no farther than the farthest of them.
create or replace function feed_nearest(
  p_after_km double precision, p_after text, p_before text,
  p_limit integer, p_lat double precision, p_lng double precision, p_radius_km double precision,
  p_now timestamptz, p_level smallint, p_skill_keys integer[], p_types task_type[], p_pay_min bigint,
  p_hidden text[], p_muted text[]
) returns table (task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint,
                 skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
declare
  v_reach box := open_tasks_box(p_lat, p_lng, p_radius_km);
  v_shift double precision[] := array[0.0];
  v_found text[];
  v_reach_km double precision;
  v_count integer := 0;
begin
  if p_after_km is not null then
    -- Around a pole, the box extends past both edges: it already covers the map.
    if (v_reach[0])[0] > 180 and (v_reach[1])[0] >= -180 then v_shift := array[0.0, -360.0];
    elsif (v_reach[1])[0] < -180 and (v_reach[0])[0] <= 180 then v_shift := array[0.0, 360.0];
    end if;

    select array_agg(x.task_id), max(x.km) into v_found, v_reach_km
      from unnest(v_shift) s(shift) cross join lateral (
        select o.task_id, open_tasks_km(p_lat, p_lng, o.lat, o.lng) as km from open_tasks o
         where o.lat is not null and point(o.lng, o.northing) <@ open_tasks_box(p_lat, p_lng + s.shift, p_radius_km)
           and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
           and o.task_id <> all(p_hidden)
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
             and o.task_id <> all(p_hidden)
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
       where o.cell6 = 0 and o.task_id < p_before and o.task_id <> all(p_hidden)
         and open_tasks_suits(o, p_now, p_level, p_skill_keys, p_types, p_pay_min, p_muted)
       order by o.task_id desc limit p_limit - v_count;
  end if;
end
$$;
