"""What the rubric asks and how it rules: `probes` asks, the modules named after properties judge."""
