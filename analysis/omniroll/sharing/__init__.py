"""A run shared by the workers of an executor: omniroll.run(study, executor=...)."""
