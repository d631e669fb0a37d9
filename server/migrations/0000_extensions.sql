-- Finds part of a title without reading every row.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
