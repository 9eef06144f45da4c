-- The region of an exact location: the center of its cell of a three-digit geohash, about 150 km wide. Null for null.
create or replace function places_region_of(p_location json) returns json
language sql immutable as $$
  select json_build_object(
           'lat', (floor((p_location ->> 'lat')::double precision / 1.40625) + 0.5) * 1.40625,
           'lng', (floor((p_location ->> 'lng')::double precision / 1.40625) + 0.5) * 1.40625,
           'accuracy_m', 110000)
   where p_location is not null
$$;
revoke execute on function places_region_of from public;
grant execute on function places_region_of to legwork_app;
