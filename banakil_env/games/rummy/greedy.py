from banakil_env.kit.uniform import act  # to be written
